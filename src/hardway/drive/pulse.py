"""A client that never stops asking: ten requests a second through the load balancer, every other one a write.

It counts what fails, what was acknowledged and is gone again, and how long nobody answered, with the cause. Its
figures are in a folder, and a second run goes on with them.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from hardway.drive.client import Client, Object, Trouble, path
from hardway.drive.events import Event, Listener
from hardway.drive.observation import Observation
from hardway.drive.outage import Outage
from hardway.io import atomic, links
from hardway.model.cluster import Cluster

FILE = "pulse.json"
PERIOD = 0.1
KEPT = 20  # of the failures' messages
SILENT = 3.0  # seconds without a good answer from which on it counts: a busy machine takes one or two
UNSEEN = "no cause was found"
MAPS = "/api/v1/configmaps"
NAME, SPACE = "hardway-pulse", "default"
BEGINS = "version-syncs"
"""The last milestone of stage 10: from the masters' stage on the API is there to stay."""


@dataclass(slots=True, kw_only=True)
class Figures:
    requests: int = 0
    failed: int = 0
    writes: int = 0  # acknowledged
    lost: int = 0
    count: int = 0  # the last acknowledged one
    slowest: float = 0.0  # seconds
    silent: float = 0.0  # seconds in which nobody answered
    silences: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def __str__(self) -> str:
        return (
            f"{self.requests} requests, {self.failed} failed; {self.writes} writes acknowledged, {self.lost} lost; "
            f"slowest answer {self.slowest:.1f} s; {self.silent:.1f} s without an answer"
        )

    @property
    def lines(self) -> list[str]:
        """For people: the sum, and each silence with its cause."""
        return [str(self), *self.silences]


def read(folder: Path) -> Figures:
    """What was counted so far; nothing, if nobody has begun."""
    try:
        found = json.loads(links.read(folder / FILE))
    except (FileNotFoundError, ValueError):
        return Figures()
    return Figures(**{row.name: found[row.name] for row in fields(Figures) if row.name in found})


class Pulse:
    """In a thread of its own, from `start` to `stop`; both may be called twice."""

    def __init__(self, api: Client, place: Path, figures: Figures) -> None:
        self.figures = figures
        self._api, self._place = api, place
        self._end = threading.Event()
        self._good, self._cause = time.monotonic(), ""
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        if self._thread is None:
            self._good = time.monotonic()
            self._thread = threading.Thread(target=self._run, name="pulse", daemon=True)
            self._thread.start()

    def explain(self, cause: str) -> None:
        """What whoever looks at the whole cluster finds wrong with it just now."""
        if cause and time.monotonic() - self._good > PERIOD:
            self._cause = cause

    def stop(self) -> Figures:
        self._end.set()
        if self._thread is not None:
            self._thread.join()
        return self.figures

    def _run(self) -> None:
        kept = due = time.monotonic()
        while not self._end.is_set():
            self._beat(self._read if self.figures.requests % 2 else self._write)
            if time.monotonic() - kept > 1:
                self._keep()
                kept = time.monotonic()
            due = max(due + PERIOD, time.monotonic())
            self._end.wait(due - time.monotonic())
        self._keep()

    def _beat(self, ask: Callable[[], Trouble | None]) -> None:
        asked = time.monotonic()
        trouble = ask()
        took = time.monotonic() - asked
        self.figures.requests += 1
        self.figures.slowest = max(self.figures.slowest, round(took, 2))
        if trouble is None:
            self._answered(time.monotonic())
        else:
            self.figures.failed += 1
            self._note(f"{trouble} (after {took:.1f} s)")

    def _answered(self, now: float) -> None:
        silent = now - self._good
        if silent > SILENT:
            self.figures.silent = round(self.figures.silent + silent, 1)
            what = f"{time.strftime('%H:%M:%S')} {silent:.1f} s: {self._cause or UNSEEN}"
            self.figures.silences = [*self.figures.silences, what][-KEPT:]
        self._good, self._cause = now, ""

    def _note(self, what: str) -> None:
        self.figures.failures = [*self.figures.failures, f"{time.strftime('%H:%M:%S')} {what}"][-KEPT:]

    def _write(self) -> Trouble | None:
        number = self.figures.count + 1
        answer = self._api.patch(path(MAPS, NAME, namespace=SPACE), _body(number))
        if isinstance(answer, Trouble) and answer.kind == "not-found":
            answer = self._api.create(path(MAPS, namespace=SPACE), _body(number))
        if isinstance(answer, Trouble):
            return answer
        self.figures.count = number
        self.figures.writes += 1
        return None

    def _read(self) -> Trouble | None:
        found = self._api.get(path(MAPS, NAME, namespace=SPACE))
        if isinstance(found, Trouble) and found.kind != "not-found":
            return found
        there = 0 if isinstance(found, Trouble) else int((found.get("data") or {}).get("count", 0))
        if there < self.figures.count:
            self.figures.lost += self.figures.count - there
            self._note(f"{self.figures.count} was acknowledged, {there} is there")
            self.figures.count = there
        return None

    def _keep(self) -> None:
        text = json.dumps(self.figures.as_dict(), indent=2) + "\n"
        atomic.write(self._place, text.encode(), atomic.PUBLIC)


def _body(number: int) -> Object:
    data = {"count": str(number)}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": NAME, "namespace": SPACE}, "data": data}


def pulse(folder: Path, api: Client) -> Pulse:
    return Pulse(api, folder / FILE, read(folder))


def looking(beat: Pulse, cluster: Cluster) -> Callable[[Observation], None]:
    """Whoever turns the loop tells the pulse what is wrong, so that a silence has its cause."""
    outage = Outage(cluster)
    return lambda seen: beat.explain(outage.cause(seen))


def beginning(beat: Pulse, listener: Listener) -> Listener:
    """The same listener; the pulse starts as soon as it hears that stage 10 is over."""

    def listen(event: Event) -> None:
        if event.kind == "reached" and event.milestone == BEGINS:
            beat.start()
        listener(event)

    return listen
