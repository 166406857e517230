"""What the kinds of fields are called, and words that come from a list."""

from __future__ import annotations

from hardway.model.config.nodes import Mapping, Node, Scalar
from hardway.model.config.reading import Reading
from hardway.model.config.table import Shape

BOUNDS = {"int32": (-(2**31), 2**31 - 1), "int64": (-(2**63), 2**63 - 1), "uint32": (0, 2**32 - 1)}
KIND_NAMES: dict[str, str] = {
    "text": "text",
    "exact text": "text",
    "boolean": "true or false",
    "cidr": "a network such as 10.0.0.0/16",
    "mapping": "a mapping",
    "texts by name": "a mapping of names to texts",
    "list": "a list",
} | dict.fromkeys(BOUNDS, "a whole number")
REMEDIES: dict[str, str] = {
    "text": "put the whole value between single quotes",
    "exact text": "put the whole value between single quotes",
    "boolean": "write true or false, without quotes",
    "cidr": "write address/length, such as 10.0.0.0/16 or fd00::/64",
    "mapping": "write indented 'name: value' lines",
    "texts by name": "write indented 'name: value' lines",
    "list": "start every item with '- '",
} | dict.fromkeys(BOUNDS, "write digits without quotes, such as 3")


def check_word(reading: Reading, value: str, shape: Shape, path: str) -> str | None:
    """The word, if the table allows it; a word left empty counts as not given, except in a list."""
    allowed = shape.row.values if shape.row else ()
    if not allowed or value in allowed or (value == "" and not path.endswith("]")):
        return value
    from difflib import get_close_matches

    near = get_close_matches(value, allowed, n=1) or [word for word in allowed if word.lower() == value.lower()]
    fix = f"did you mean {near[0]}?" if near else "write one of them, or leave it out"
    reading.error("field.value", path, f"must be one of {', '.join(allowed)}", fix)
    return None


def found(node: Node) -> str:
    if not isinstance(node, Scalar):
        return "a mapping" if isinstance(node, Mapping) else "a list"
    names = {bool: "true or false", int: "a number", float: "a number that is not whole"}
    return names.get(type(node.value), "text")
