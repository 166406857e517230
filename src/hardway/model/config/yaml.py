"""YAML text to nodes that know their place.

The nodes are made from the parser's events, not by `yaml.compose`: that one refuses an anchor given twice, and reads on
where the installer stops: after the first document.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import yaml

from hardway.model.config.nodes import START, Mapping, Node, Place, Scalar, Sequence
from hardway.model.config.scalars import TAGS, Value, as_text, bare, tagged
from hardway.model.yaml import YamlError as Unreadable
from hardway.model.yaml import events


class YamlError(Exception):
    """The text is no YAML that the installer would read."""

    def __init__(self, place: Place, message: str) -> None:
        super().__init__(message)
        self.place = place
        self.message = message


class Document:
    def __init__(self) -> None:
        self.root: Node | None = None
        self.more: Place | None = None  # where a second document starts
        self.flaws: list[tuple[Place, str, str]] = []  # readable, but refused by the installer


def parse(text: str) -> Document:
    """The first document of the text; YamlError when it cannot be read at all."""
    _refuse_surrogates(text)
    composer = _Composer()
    try:
        for event in _events(text):
            if composer.done:
                composer.document.more = _start(event)
                break
            composer.take(event)
    except Unreadable as error:
        place = Place(error.line, error.column)
        if not composer.done:
            raise YamlError(place, error.message) from error
        composer.document.more = place
    return composer.document


def _events(text: str) -> Iterator[yaml.Event]:
    wanted = (yaml.NodeEvent, yaml.CollectionEndEvent, yaml.DocumentStartEvent, yaml.DocumentEndEvent)
    return (event for event in events(text) if isinstance(event, wanted))


def _start(event: yaml.Event) -> Place:
    mark = event.start_mark
    return START if mark is None else Place(mark.line + 1, mark.column + 1)


def _refuse_surrogates(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        before = text[: error.start]
        place = Place(before.count("\n") + 1, len(before) - before.rfind("\n"))
        raise YamlError(place, "this is not YAML: it contains bytes that are not UTF-8") from error


class _Composer:
    """Puts events together; a stack instead of recursion, so no depth can hurt."""

    def __init__(self) -> None:
        self.document = Document()
        self.done = False
        self._stack: list[Sequence | Mapping] = []
        self._anchors: dict[str, Node] = {}

    def take(self, event: yaml.Event) -> None:
        if isinstance(event, yaml.DocumentEndEvent):
            self.done = True
        elif isinstance(event, yaml.CollectionEndEvent):
            self._close()
        elif isinstance(event, yaml.NodeEvent):
            self._add(self._node(event))

    def _node(self, event: yaml.NodeEvent) -> Node:
        place = _start(event)
        if isinstance(event, yaml.AliasEvent):
            return self._aliased(event.anchor, place)
        node: Node
        if isinstance(event, yaml.ScalarEvent):
            node = self._scalar(event, place)
        else:
            node = Sequence(place) if isinstance(event, yaml.SequenceStartEvent) else Mapping(place)
        if event.anchor:
            self._anchors[event.anchor] = node
        return node

    def _aliased(self, anchor: str | None, place: Place) -> Node:
        node = self._anchors.get(anchor or "")
        if node is None:
            raise YamlError(place, "this alias names an anchor that does not exist")
        if not isinstance(node, Scalar) and node.open:
            raise YamlError(place, "this alias is inside the value that it names")
        return node

    def _scalar(self, event: yaml.ScalarEvent, place: Place) -> Scalar:
        if event.tag is None:
            value = bare(event.value) if event.implicit[0] else event.value
            scalar = Scalar(place, value, merge=event.implicit[0] and event.value == "<<")
        else:
            try:
                scalar = Scalar(place, tagged(event.value, event.tag), merge=event.tag == f"{TAGS}merge")
            except ValueError as error:
                raise YamlError(place, str(error)) from error
        if isinstance(scalar.value, float) and not math.isfinite(scalar.value):
            self._refuse(place, "this is not a finite number, which the installer does not accept", "write a number")
        return scalar

    def _add(self, node: Node) -> None:
        if not self._stack:
            self.document.root = node
        elif isinstance(parent := self._stack[-1], Sequence):
            parent.items.append(node)
        elif parent.key is None:
            parent.key = node
        else:
            key, parent.key = parent.key, None
            self._pair(parent, key, node)
        if not isinstance(node, Scalar) and node.open:
            self._stack.append(node)

    def _close(self) -> None:
        node = self._stack.pop()
        node.open = False
        if isinstance(node, Mapping):
            self._unfold(node)

    def _pair(self, parent: Mapping, key: Node, value: Node) -> None:
        if isinstance(key, Scalar) and key.value is not None:
            parent.pairs.append((key, value))
        else:
            self._refuse(
                key.place, "a key must be a word, not a list, a mapping or null", "write a word before the colon"
            )

    def _unfold(self, mapping: Mapping) -> None:
        """Replace merge keys by what they bring; a name that is then there twice is a flaw, as to the installer."""
        pairs: dict[tuple[type, Value], tuple[Scalar, Node]] = {}
        for key, value in mapping.pairs:
            for name, content in self._merged(key, value) if key.merge else [(key, value)]:
                identity = (type(name.value), name.value)
                if identity in pairs:
                    word = as_text(name.value)[:40]
                    self._refuse(key.place, f"the key {word!r} occurs twice in this mapping", "keep one of the two")
                pairs.setdefault(identity, (name, content))
        mapping.pairs = list(pairs.values())

    def _refuse(self, place: Place, message: str, fix: str) -> None:
        self.document.flaws.append((place, message, fix))

    def _merged(self, key: Scalar, value: Node) -> list[tuple[Scalar, Node]]:
        sources = value.items if isinstance(value, Sequence) else [value]
        if not all(isinstance(source, Mapping) for source in sources):
            raise YamlError(key.place, "a merge key (<<) takes a mapping or a list of mappings")
        return [pair for source in sources if isinstance(source, Mapping) for pair in source.pairs]
