"""What a row of bootkube's table says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hardway.bootkube.operators.row import OPT, SOURCE
from hardway.model.why import Why


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    number: str
    name: str
    why: Why  # what it is for, what breaks without it, where that is known from
    waits: str = ""
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    command: str  # what the script calls; ${api}, ${api-int} and what of a release a call may name are filled in
    marker: str = ""  # file below /opt/openshift that says: done
    operator: str = ""  # the row of hardway.bootkube.operators.table that it calls
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
