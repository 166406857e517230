"""The rows that describe the files a user writes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from hardway.model.why import Why

Kind = Literal[
    "text", "exact text", "int32", "int64", "uint32", "boolean", "cidr", "mapping", "texts by name", "list", "any"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldRow:
    """One field. `[]` in the path stands for any item of a list, `*` for any name."""

    file: str
    path: str
    kind: Kind
    why: Why
    required: bool = False
    default: Any = None
    values: tuple[str, ...] = ()  # the only words allowed
    replaced_by: str = ""  # the field that took over from a deprecated one
    secret: bool = False  # never to be quoted in a message

    @property
    def address(self) -> str:
        return f"field/{self.file}#{self.path}"


class Shape:
    """A row and the rows below it."""

    def __init__(self, row: FieldRow | None = None) -> None:
        self.row = row
        self.children: dict[str, Shape] = {}

    @property
    def kind(self) -> Kind:
        return self.row.kind if self.row else "mapping"


def shape_of(rows: Iterable[FieldRow]) -> Shape:
    root = Shape()
    for row in rows:
        shape = root
        for step in row.path.replace("[]", ".[]").split("."):
            shape = shape.children.setdefault(step, Shape())
        shape.row = row
    return root


FREE_TEXT = Shape(row=FieldRow(file="", path="*", kind="text", why=Why(what="free text")))
