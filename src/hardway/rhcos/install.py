"""Installs machines: puts each one's medium into its drive, switches it on, and watches until it runs."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from hardway.graph.store import Store
from hardway.libvirt.fleet import Fleet
from hardway.model.cluster import Node
from hardway.model.entropy import Entropy
from hardway.model.errors import ToolError
from hardway.rhcos.machine import machine_of
from hardway.rhcos.medium import Medium, discard
from hardway.rhcos.order import Wave, waves
from hardway.rhcos.plan import Job, decide
from hardway.rhcos.record import Entry, Record
from hardway.rhcos.watching import Tell, Watched, follow


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    store: Store
    record: Record
    media: Mapping[str, Medium]
    entropy: Entropy
    seconds: float  # for each machine, from its start
    begun: Callable[[Wave, str], None]
    tell: Tell
    ended: Callable[[str, bool], None]

    def run(self, jobs: Sequence[Job]) -> None:
        """Wave after wave. One that fails does not stop its neighbours, but nothing is begun after it."""
        by_name = {job.name: job for job in jobs}
        for wave, nodes in waves(job.machine.node for job in jobs):
            watched = [self._begin(wave, by_name[n.name]) for n in nodes if by_name[n.name].fate != "installed"]
            follow(watched, self.tell, self._end)
            if failed := [one for one in watched if not self._good(one)]:
                raise ToolError("\n".join(one.why() for one in failed))

    def _begin(self, wave: Wave, job: Job) -> Watched:
        """What has been begun before is only watched, from where it began."""
        if job.new:
            entry = self._start(job)
        else:
            assert job.entry
            entry = job.entry
        self.begun(wave, job.name)
        return Watched(machine=job.machine, offset=entry.console, deadline=time.monotonic() + self.seconds)

    def _start(self, job: Job) -> Entry:
        machine, medium = job.machine, self.media[job.name]
        if job.fate == "install again" or machine.state() != "shut off":
            self.record.forget(job.name)
            machine.wipe()
        machine.insert(medium.path)
        entry = Entry(state="begun", at=self._now(), console=machine.console_size(), way=medium.way)
        self.record.put(job.name, entry)
        machine.start()
        return entry

    def _end(self, one: Watched) -> None:
        good = self._good(one)
        if good:
            one.machine.eject()
            began = self.record.get(one.name)
            assert began
            entry = Entry(state="installed", at=self._now(), console=began.console, way=began.way)
            self.record.put(one.name, entry)
            discard(self.store, one.name)
        self.ended(one.name, good)

    @staticmethod
    def _good(one: Watched) -> bool:
        return one.watch.up and not one.watch.failed

    def _now(self) -> str:
        return self.entropy.now().strftime("%Y-%m-%dT%H:%M:%SZ")


def jobs_for(fleet: Fleet, nodes: Sequence[Node], record: Record, *, again: bool) -> list[Job]:
    return [decide(machine_of(fleet, node), record.get(node.name), again=again) for node in nodes]
