"""What a YAML text is made of, with the place of everything."""

from __future__ import annotations

from typing import NamedTuple

from hardway.model.config.scalars import Value


class Place(NamedTuple):
    line: int
    column: int


START = Place(1, 1)


class Scalar(NamedTuple):
    place: Place
    value: Value
    merge: bool = False  # the bare key `<<`


class Sequence:
    def __init__(self, place: Place) -> None:
        self.place = place
        self.items: list[Node] = []
        self.open = True


class Mapping:
    def __init__(self, place: Place) -> None:
        self.place = place
        self.pairs: list[tuple[Scalar, Node]] = []
        self.open = True
        self.key: Node | None = None  # the one that waits for its value


Node = Scalar | Sequence | Mapping
