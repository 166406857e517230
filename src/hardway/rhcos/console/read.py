"""Reads a serial console as it grows: which milestones were reached, and what went wrong on the way."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from hardway.rhcos.console.ignition import IGNITION
from hardway.rhcos.console.machine import MACHINE, WIDE
from hardway.rhcos.console.row import MILESTONES, Milestone, Phase, Trouble

TROUBLES: tuple[Trouble, ...] = (*MACHINE, *IGNITION, *WIDE)
_ESCAPES = re.compile(
    r"\x1b(?:\[[0-9;?=]*[A-Za-z]|[()][A-Z0-9]|[=>78cM])"
    r"|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]"
    r"|[\u202a-\u202e\u2066-\u2069]"  # these turn the direction of what follows
)
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}(?![A-Za-z0-9_=-])")
PROMPT = " login: "
"""A line that is not going to end: nobody answers it."""

_LONGEST = 400
"""Longer lines are cut when they are told."""

_LONGEST_READ = 1 << 12
"""Of a line, no more than its last characters is read: a machine may write anything, and a pattern's time grows with
the square of the length."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    milestone: Milestone


@dataclass(frozen=True, slots=True, kw_only=True)
class Met:
    trouble: Trouble
    line: str


@dataclass(slots=True)
class Watch:
    """One machine's console. Each milestone and each trouble is told once."""

    phases: list[Phase] = field(default_factory=list)
    met: dict[str, Met] = field(default_factory=dict)
    last: str = ""  # the last line that was not empty
    _open: str = ""  # a line that has not ended yet

    def feed(self, content: bytes) -> list[Reached | Met]:
        text = self._open + content.decode("utf-8", "replace")
        *lines, self._open = re.split(r"\r*\n|\r", text)
        self._open = self._open[-_LONGEST_READ:]
        if self._open.endswith(PROMPT):
            lines.append(self._open)
        return [event for line in lines for event in self._line(line)]

    @property
    def up(self) -> bool:
        return "up" in self.phases

    @property
    def failed(self) -> Met | None:
        """The first message after which nothing comes any more."""
        return next((m for m in self.met.values() if m.trouble.weight == "fatal"), None)

    @property
    def cause(self) -> Met | None:
        """What most likely led there: the first thing that went wrong in the phase that the machine is in."""
        return next(iter(self.met.values()), None)

    def _line(self, raw: str) -> Iterator[Reached | Met]:
        line = _ESCAPES.sub("", raw[-_LONGEST_READ:]).rstrip()
        if not line.strip():
            return
        self.last = told(line)
        for milestone in MILESTONES:
            if self._due(milestone) and milestone.pattern.search(line):
                self.phases.append(milestone.phase)
                self._forget()
                yield Reached(milestone=milestone)
        if (row := self._trouble(line)) and row.name not in self.met:
            self.met[row.name] = Met(trouble=row, line=told(line))
            yield self.met[row.name]

    def _due(self, milestone: Milestone) -> bool:
        ready = milestone.after is None or milestone.after in self.phases
        return ready and milestone.phase not in self.phases

    def _forget(self) -> None:
        """What was retried has come right, since the machine went on."""
        self.met = {name: m for name, m in self.met.items() if m.trouble.weight == "fatal"}

    def _trouble(self, line: str) -> Trouble | None:
        rows = (t for t in TROUBLES if t.after is None or t.after in self.phases)
        return next((t for t in rows if t.pattern.search(line)), None)


def told(line: str) -> str:
    """A line for people: without the token that an address may have in it, and not endless."""
    return _TOKEN.sub("…", line.strip())[:_LONGEST]


def remedy(trouble: Trouble, node: str) -> str:
    """The fix for this machine. One that has stopped for good has to be installed anew."""
    fix = trouble.fix.replace("NODE", node)
    anew = f"; then `hardway install {node} --again`"
    return fix if trouble.weight == "retried" or "--again" in fix else fix + anew
