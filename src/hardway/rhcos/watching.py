"""Looks at the consoles of machines that are being installed, until each runs, has failed, or its time is over."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from hardway.rhcos.console.read import Met, Reached, Watch, remedy
from hardway.rhcos.machine import Machine

PAUSE = 2.0
OFF = ("shut off", "crashed", "paused")
"""The machine does not go on by itself from here. Paused is what libvirt does when the host's disk is full."""

Tell = Callable[[str, Reached | Met], None]


@dataclass(slots=True)
class Watched:
    machine: Machine
    offset: int  # up to where the console has been read
    deadline: float
    watch: Watch = field(default_factory=Watch)
    problem: str = ""

    @property
    def name(self) -> str:
        return self.machine.node.name

    @property
    def done(self) -> bool:
        return bool(self.watch.failed or self.problem or self.watch.up)

    def look(self, tell: Tell) -> None:
        state = self.machine.state()
        size = self.machine.console_size()
        if size < self.offset:
            self.offset = 0  # the log was put away and begun anew
        if size > self.offset:
            content = self.machine.console(self.offset)
            self.offset += len(content)
            for event in self.watch.feed(content):
                tell(self.name, event)
        if state in OFF and not self.done:
            self.problem = f"the machine is {state}"

    def expire(self, now: float) -> None:
        if not self.done and now > self.deadline:
            self.problem = "it timed out"

    def why(self) -> str:
        """What went wrong: the fatal message and what led to it, or how far it came."""
        found = list(dict.fromkeys(m for m in (self.watch.cause, self.watch.failed) if m))
        lines = [f"{self.name}: {self.problem}"] if self.problem else []
        lines += [line for met in found for line in _told(self.name, met)]
        if not found:
            phase = self.watch.phases[-1] if self.watch.phases else "nothing"
            last = self.watch.last or "(nothing)"
            lines += [f"    reached: {phase}; its console ends with: {last}"]
        return "\n".join(lines)


def _told(node: str, met: Met) -> list[str]:
    row = met.trouble
    name = f" ({row.failure})" if row.failure else ""
    return [f"{node}: {row.meaning}{name}", f"    console: {met.line}", f"    fix: {remedy(row, node)}"]


def follow(watched: Sequence[Watched], tell: Tell, ended: Callable[[Watched], None]) -> None:
    """Until all are done; each is reported as it ends."""
    left = list(watched)
    while left:
        for one in left:
            one.look(tell)
            one.expire(time.monotonic())
            if one.done:
                ended(one)
        left = [one for one in left if not one.done]
        if left:
            time.sleep(PAUSE)
