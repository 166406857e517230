"""Machines that are not all switched the same way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hardway.places.power.way import Power, State


@dataclass(frozen=True, slots=True)
class Mixed:
    others: Power
    own: Mapping[str, Power] = field(default_factory=dict)  # by node

    def on(self, node: str) -> None:
        self.of(node).on(node)

    def off(self, node: str, *, cut: bool = False) -> None:
        self.of(node).off(node, cut=cut)

    def state(self, node: str) -> State:
        return self.of(node).state(node)

    def of(self, node: str) -> Power:
        return self.own.get(node, self.others)
