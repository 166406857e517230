"""What a row of bootkube's table says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hardway.model.why import Why
from hardway.render.operators.row import OPT, SOURCE


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    number: str
    name: str
    why: Why  # what it is for, what breaks without it, where that is known from
    waits: str = ""
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    marker: str = ""  # file below /opt/openshift that says: done
    operator: str = ""  # the row of hardway.render.operators.table that it calls
    lab: str = ""  # what the lab does in its place

    @property
    def title(self) -> str:
        return f"{self.number} {self.name}"

    def as_dict(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "name": self.name,
            "what": self.why.what,
            "waitsFor": self.waits,
            "reads": list(self.reads),
            "writes": list(self.writes),
            "marker": f"{OPT}/{self.marker}" if self.marker else "",
            "breaks": self.why.breaks,
            "lab": self.lab,
            "source": self.why.source or SOURCE,
        }
