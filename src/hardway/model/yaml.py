"""YAML from a file or a release, read within bounds.

PyYAML composes nodes by recursion in C: a file of 60,000 brackets overflows the stack and ends the process. It copies
what merge keys bring, so that a few lines fill the memory. Every reader of this program goes through this module.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

import yaml

if TYPE_CHECKING:
    from yaml.nodes import Node

LARGEST = 16 << 20
"""Bytes of one file. The largest honest ones, MachineConfigs and CRDs, have less than two million."""
MOST_NODES = 200_000
"""Values of one file, each alias counted as all that it stands for."""
DEEPEST = 200
"""Levels of nesting. The schemas of CRDs have about fifty."""
LONGEST_NUMBER = 400
"""Characters of a number: the time to read one grows with their square."""

MOST_NUMBERED = 100
"""Keys of one mapping that are no text. Python gives numbers the same hash if one asks for it, and the time to put such
keys into a mapping grows with their square; the hash of a text cannot be foreseen."""

Scalars = Literal["typed", "dates as text", "text"]
"""`typed` as YAML 1.1 has it; with dates left as they are, as Kubernetes has it; or nothing but text."""
Content = bytes | str
_TIMESTAMP, _INTEGER, _TEXT = (f"tag:yaml.org,2002:{name}" for name in ("timestamp", "int", "str"))


class YamlError(ValueError):
    """Not readable, or beyond the bounds; the place counts from one."""

    def __init__(self, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(f"line {line}, column {column}: {message}")
        self.message, self.line, self.column = message, line, column


def load(content: Content, scalars: Scalars = "typed") -> Any:
    """The only document of a text; None for an empty one. YamlError for anything else."""
    return _constructed(content, lambda text: yaml.load(text, _loader(scalars)))  # noqa: S506 - safe and bounded


def load_all(content: Content, scalars: Scalars = "typed") -> list[Any]:
    """Every document of a text."""
    return list(_constructed(content, lambda text: list(yaml.load_all(text, _loader(scalars)))))


def compose(content: Content) -> Node | None:
    """The nodes of the only document, which know their places."""
    found: Node | None = _constructed(content, lambda text: yaml.compose(text, _loader("typed")))
    return found


def document_starts(text: str) -> list[int]:
    """Where each document of a text begins, as a number of characters."""
    marks = (event.start_mark for event in events(text) if isinstance(event, yaml.DocumentStartEvent))
    return [mark.index for mark in marks if mark is not None]


def events(content: Content) -> Iterator[yaml.Event]:
    """What the parser sees, as far as it is within the bounds: this never recurses, and nothing is put together."""
    _refuse_size(content)
    count = _Count()
    try:
        for event in yaml.parse(content, _loader("typed")):
            count.take(event)
            yield event
    except yaml.YAMLError as error:
        raise _located(error, content) from None


def _constructed(content: Content, read: Any) -> Any:
    _refuse_size(content)
    try:
        if _may_have_aliases(content):
            for _ in events(content):
                pass
        return read(content)
    except yaml.YAMLError as error:
        raise _located(error, content) from None
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError) as error:
        if isinstance(error, YamlError):
            raise
        raise YamlError("a value does not match its tag") from None  # tags make PyYAML's constructors fail in many ways


def _may_have_aliases(content: Content) -> bool:
    """In whatever encoding: most documents are spared a second reading."""
    return (b"*" in content and b"&" in content) if isinstance(content, bytes) else ("*" in content and "&" in content)


def _refuse_size(content: Content) -> None:
    if len(content) > LARGEST:
        raise YamlError(f"the text has {len(content)} bytes; at most {LARGEST} are read")


def _refuse_depth(depth: int, mark: Any) -> None:
    if depth > DEEPEST:
        raise _at(mark, f"the nesting is deeper than {DEEPEST} levels")


def _refuse_nodes(nodes: int, mark: Any) -> None:
    if nodes > MOST_NODES:
        raise _at(mark, f"the text holds more than {MOST_NODES} values, each alias counted as what it stands for")


def _refuse_keys(mapping: Any) -> None:
    if sum(key.tag != _TEXT for key, _ in mapping.value) > MOST_NUMBERED:
        raise _at(mapping.start_mark, f"a mapping has more than {MOST_NUMBERED} keys that are not text")


class _Count:
    """How many values there are if every alias is written out: what a reader without sharing would hold."""

    def __init__(self) -> None:
        self._nodes = 0
        self._open: list[tuple[str | None, int]] = []  # anchor, and the count where it began
        self._anchors: dict[str, int] = {}

    def take(self, event: yaml.Event) -> None:
        if isinstance(event, yaml.NodeEvent):
            self._node(event)
        elif isinstance(event, yaml.CollectionEndEvent):
            anchor, start = self._open.pop()
            if anchor:
                self._anchors[anchor] = self._nodes - start

    def _node(self, event: yaml.NodeEvent) -> None:
        before, mark = self._nodes, event.start_mark
        self._nodes += self._aliased(event) if isinstance(event, yaml.AliasEvent) else 1
        _refuse_nodes(self._nodes, mark)
        if isinstance(event, yaml.CollectionStartEvent):
            self._open.append((event.anchor, before))
            _refuse_depth(len(self._open), mark)
            if event.anchor:
                self._anchors[event.anchor] = 0
        elif isinstance(event, yaml.ScalarEvent) and event.anchor:
            self._anchors[event.anchor] = 1

    def _aliased(self, event: yaml.AliasEvent) -> int:
        count = self._anchors.get(event.anchor or "", 1)  # an unknown one is for the composer to refuse
        if not count:
            raise _at(event.start_mark, "this alias is inside the value that it names")
        return count


@cache
def _loader(scalars: Scalars) -> Any:
    """PyYAML's own loader, in C where there is one, that counts as it descends."""
    text = scalars == "text"
    kind: Any = getattr(yaml, "CBaseLoader" if text else "CSafeLoader", yaml.BaseLoader if text else yaml.SafeLoader)

    class Bounded(kind):  # type: ignore[misc]
        def __init__(self, stream: Any) -> None:
            super().__init__(stream)
            self.depth = self.nodes = 0

        def descend_resolver(self, current: Any, index: Any) -> None:
            """Called before each node is composed, with the node that it is in."""
            self.depth += 1
            self.nodes += 1
            if self.depth > DEEPEST or self.nodes > MOST_NODES:
                mark = current.start_mark if current is not None else None
                _refuse_depth(self.depth, mark)
                _refuse_nodes(self.nodes, mark)

        def ascend_resolver(self) -> None:
            self.depth -= 1

        def flatten_mapping(self, node: Any) -> None:
            """Called before each mapping is made, and puts in what merge keys bring."""
            super().flatten_mapping(node)
            if len(node.value) > MOST_NUMBERED:
                _refuse_keys(node)

    if scalars == "dates as text":
        Bounded.yaml_implicit_resolvers = {
            first: [pair for pair in pairs if pair[0] != _TIMESTAMP]
            for first, pairs in kind.yaml_implicit_resolvers.items()
        }
    if not text:
        Bounded.add_constructor(_INTEGER, _integer)
    return Bounded


def _integer(loader: Any, node: Any) -> int:
    if len(str(node.value)) > LONGEST_NUMBER:
        raise _at(node.start_mark, f"a number has more than {LONGEST_NUMBER} digits")
    return int(loader.construct_yaml_int(node))


def _at(mark: Any, message: str) -> YamlError:
    return YamlError(message, mark.line + 1, mark.column + 1) if mark else YamlError(message)


def _located(error: yaml.YAMLError, content: Content) -> YamlError:
    if isinstance(error, yaml.MarkedYAMLError):
        said = error.problem or error.context or "the structure cannot be read"
        return _at(error.problem_mark, f"this is not YAML: {said}")
    if isinstance(error, yaml.reader.ReaderError):
        text = isinstance(content, str)
        before = content.encode(errors="replace") if isinstance(content, str) else content
        read = before[: error.position].decode(errors="ignore")
        bytes_too = "" if text else " or bytes that are not UTF-8"
        place = read.count("\n") + 1, len(read) - read.rfind("\n")
        return YamlError(f"this is not YAML: it contains a control character{bytes_too}", *place)
    return YamlError("this is no YAML")
