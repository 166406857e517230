"""YAML nodes to typed values, following a table of field rows.

The types are the installer's own: text takes a bare number, a number takes no text, names match without regard to case.
What has the wrong type is an error. What the table does not know is dropped with a warning, as the installer drops it;
in files that hardway alone reads it is an error, since keys of another kind than meant are never replaced. Problems are
collected.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hardway.model.config.addresses import parse_cidr
from hardway.model.config.kinds import BOUNDS, KIND_NAMES, REMEDIES, check_word, found
from hardway.model.config.nodes import Mapping, Node, Scalar, Sequence
from hardway.model.config.reading import Reading
from hardway.model.config.scalars import as_text
from hardway.model.config.table import FREE_TEXT, Kind, Shape
from hardway.model.config.yaml import YamlError, parse


def read(text: str, file: str, shape: Shape, *, strict: bool = False) -> Reading:
    """The file's values as the table types them. `strict`: a field that the table does not know is an error."""
    reading = Reading(file=file)
    try:
        document = parse(text)
    except YamlError as error:
        reading.error("yaml.syntax", "", error.message, "correct the YAML at this place", at=error.place)
        reading.readable = False
        return reading
    for place, message, fix in document.flaws:
        reading.error("yaml.refused", "", message, fix, at=place)
    if document.more:
        message = "a second document starts here, and only the first one is read"
        reading.warn("yaml.documents", "", message, "delete the rest of the file", at=document.more)
    root = document.root
    if root is None or (isinstance(root, Scalar) and root.value is None):
        reading.empty = True
    elif isinstance(root, Mapping):
        reading.values = _Reader(reading, strict=strict).mapping(root, shape, "")
    else:
        message = f"the file must hold a mapping of names to values, but it is {found(root)}"
        reading.error("yaml.mapping", "", message, "write 'name: value' lines", at=root.place)
        reading.readable = False
    return reading


class _Reader:
    def __init__(self, reading: Reading, *, strict: bool) -> None:
        self.reading = reading
        self.strict = strict

    def _value(self, node: Node, shape: Shape, path: str) -> Any:
        kind = shape.kind
        if isinstance(node, Scalar) and node.value is None:
            return None
        if kind == "any":
            return {}
        if kind in ("mapping", "texts by name") and isinstance(node, Mapping):
            return self.mapping(node, shape, path)
        if kind == "list" and isinstance(node, Sequence):
            return self._list(node, shape.children["[]"], path)
        if isinstance(node, Scalar) and kind not in ("mapping", "texts by name", "list"):
            return self._scalar(node, shape, path)
        return self._wrong(node, kind, path)

    def mapping(self, node: Mapping, shape: Shape, path: str) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for name, key, child in self._known(node, shape, path):
            below = _join(path, name)
            self.reading.places[below] = child.place if isinstance(child, Scalar) else key.place
            value = self._value(child, shape.children.get(name) or shape.children.get("*") or FREE_TEXT, below)
            if value is not None:
                values[name] = values[name] | value if isinstance(values.get(name), dict) else value
                self._deprecated(shape.children.get(name), below)
        self._missing(values, shape, path)
        return values

    def _known(self, node: Mapping, shape: Shape, path: str) -> Iterator[tuple[str, Scalar, Node]]:
        """The pairs under the names of the table. Of two spellings the last in order counts, as in the installer."""
        folded = {name.casefold(): name for name in shape.children}
        any_name = "*" in shape.children or shape.kind == "texts by name"
        for key, value in sorted(node.pairs, key=lambda pair: as_text(pair[0].value)):
            written = as_text(key.value)
            name = written if any_name or written in shape.children else folded.get(written.casefold())
            if name is None:
                self._unknown(key, written, shape, path)
                continue
            if name != written:
                message = f"is spelled {written!r}: the installer reads it as {name!r}, other readers do not"
                self.reading.warn("yaml.case", _join(path, name), message, f"write {name}", at=key.place)
            yield name, key, value

    def _unknown(self, key: Scalar, written: str, shape: Shape, path: str) -> None:
        from difflib import get_close_matches

        near = get_close_matches(written, [n for n, child in shape.children.items() if child.kind != "any"], n=1)
        fix = f"did you mean {near[0]}? If not, remove it" if near else "remove it"
        message = "this field does not exist" + ("" if self.strict else ", so it is ignored")
        report = self.reading.error if self.strict else self.reading.warn
        report("field.unknown", _join(path, written[:40]), message, fix, at=key.place)

    def _deprecated(self, shape: Shape | None, path: str) -> None:
        if shape and shape.row and shape.row.replaced_by:
            new = shape.row.replaced_by
            self.reading.warn("field.deprecated", path, f"is the old form of {new}", f"write {new} instead")

    def _missing(self, values: dict[str, Any], shape: Shape, path: str) -> None:
        for name, child in shape.children.items():
            below = _join(path, name)
            required = child.row is not None and child.row.required
            if required and values.get(name) in (None, "") and not self.reading.is_broken(below):
                message = "is missing, and has no default"
                self.reading.error(
                    "field.required", below, message, f"add {name}: {child.row.why.what if child.row else name}"
                )

    def _list(self, node: Sequence, item: Shape, path: str) -> list[Any]:
        values = []
        for index, child in enumerate(node.items):
            below = f"{path}[{index}]"
            self.reading.places[below] = child.place
            value = self._value(child, item, below)
            if value is None and not self.reading.is_broken(below):
                value = self._nothing(item, below)
            values.append(value)
        return values

    def _nothing(self, item: Shape, path: str) -> Any:
        """A null in a list: an item with everything left out."""
        if item.kind == "cidr":
            return self._network("", path)
        if item.kind != "mapping":
            return check_word(self.reading, "", item, path)
        self._missing({}, item, path)
        return {}

    def _scalar(self, node: Scalar, shape: Shape, path: str) -> Any:
        kind = shape.kind
        if kind in BOUNDS:
            return self._number(node, kind, path)
        if kind == "boolean":
            return node.value if isinstance(node.value, bool) else self._wrong(node, kind, path)
        if isinstance(node.value, str):
            return (
                self._network(node.value, path) if kind == "cidr" else check_word(self.reading, node.value, shape, path)
            )
        if kind != "text":
            return self._wrong(node, kind, path)
        text = as_text(node.value)
        quoted = "text" if shape.row and shape.row.secret else f'"{text}"'
        message = f"is not text, because it is not quoted; it is read as {quoted}"
        self.reading.warn("yaml.quotes", path, message, "put the text you mean in quotes")
        return check_word(self.reading, text, shape, path)

    def _number(self, node: Scalar, kind: Kind, path: str) -> Any:
        value = node.value
        if isinstance(value, bool) or not isinstance(value, int | float) or value != value // 1 or abs(value) >= 1e21:
            return self._wrong(node, kind, path)
        low, high = BOUNDS[kind]
        if not low <= value <= high:
            message = f"must be between {low} and {high}"
            return self.reading.error("field.type", path, message, "write a number in that range")
        return int(value)

    def _network(self, text: str, path: str) -> Any:
        network = parse_cidr(text)
        if network is None:
            message = f"{text[:50]!r} is not a network in CIDR form"
            self.reading.error("network.syntax", path, message, REMEDIES["cidr"])
        return network

    def _wrong(self, node: Node, kind: Kind, path: str) -> None:
        message = f"must be {KIND_NAMES[kind]}, but it is {found(node)}"
        self.reading.error("field.type", path, message, REMEDIES[kind])


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
