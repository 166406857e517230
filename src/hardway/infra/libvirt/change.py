"""One thing to change, and why."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    action: str  # create, change, start, restart, autostart, grow, add, remove; keep does nothing
    kind: str  # network, address, firewall, pool, disk, machine
    name: str
    reasons: tuple[str, ...]
    document: str = ""  # the XML to define
    place: str = ""  # the bridge of an address, the zone of a firewall rule

    def as_dict(self) -> dict[str, Any]:
        return {k: v for k, v in asdict(self).items() if v and k != "document"}

    def __str__(self) -> str:
        return "\n".join([f"{self.action:9} {self.kind:8} {self.name}", *(f"{'':19}{r}" for r in self.reasons)])
