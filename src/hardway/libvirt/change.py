"""One thing to change, and why."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    action: str  # create, change, start, restart, reload, autostart, grow, add, remove; keep and skip do nothing
    kind: str  # network, address, firewall, file, service, pool, disk, machine
    name: str
    reasons: tuple[str, ...]
    document: str = ""  # the XML to define, or the file's content
    place: str = ""  # the bridge of an address, the zone of a firewall rule
    host: str = ""  # which libvirt host, where there are several

    @property
    def does(self) -> bool:
        """Whether anything changes."""
        return self.action not in ("keep", "skip")

    def as_dict(self) -> dict[str, Any]:
        return {k: v for k, v in asdict(self).items() if v and k != "document"}

    def __str__(self) -> str:
        where = f"  on {self.host}" if self.host else ""
        return "\n".join([f"{self.action:9} {self.kind:8} {self.name}{where}", *(f"{'':19}{r}" for r in self.reasons)])
