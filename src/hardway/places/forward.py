"""The way of a running cluster, wherever it runs: as far as was asked, with a client that never stops asking."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from hardway.drive import moments, pulse, record, sight
from hardway.drive.decide import LAST as DRIVEN
from hardway.drive.events import Event, Kind, Listener
from hardway.drive.live import LiveCluster
from hardway.drive.loop import Options, drive
from hardway.drive.observation import Observation
from hardway.drive.stall import Cause
from hardway.model.check import Report
from hardway.model.stages import number

BOOTSTRAPPED = number("bootstrap")  # from here on the API must always answer
FINAL = number("final-verification")
AGAIN = "this cluster was finished before: nodes that are off are started, and nothing is made again"


def forward(
    live: LiveCluster,
    kept: Path,
    until: int,
    listener: Listener,
    turn: Callable[[], None],
    diagnose: Callable[[], Sequence[Cause]] = lambda: (),
) -> None:
    """To the stage; a second time, what is reached already is seen and left. `kept` is the folder of the record."""
    if record.LAST in record.reached(kept):
        listener(Event(kind="acted", seconds=0, text=AGAIN))
    beat = pulse.pulse(kept, live.api)
    told = record.keeping(kept, listener)

    def pause(seconds: float) -> None:
        turn()
        time.sleep(seconds)

    turn()
    last = min(until, DRIVEN)
    lookers = (
        pulse.looking(beat, live.cluster),
        sight.keeping(kept, live.cluster),
        moments.keeping(kept, live.cluster, lambda: str(beat.figures) if beat.figures.requests else ""),
    )

    def look(seen: Observation) -> None:
        for looker in lookers:
            looker(seen)

    try:
        listening = pulse.beginning(beat, told) if until > BOOTSTRAPPED else told
        drive(live, listening, Options(until=last, sleep=pause, look=look, diagnose=diagnose))
        turn()  # the last picture shows what the last milestone has changed
    finally:
        beat.stop()


def verify(live: LiveCluster, kept: Path, listener: Listener, look: Callable[[], Report]) -> Report:
    """Stage 17, while the client goes on asking."""
    begun = time.monotonic()
    listener(Event(kind="acted", seconds=0, stage=str(FINAL), text="the final verification starts"))
    beat = pulse.pulse(kept, live.api)
    beat.start()
    try:
        found = look()
    finally:
        beat.stop()
    text = f"{len(found.ran)} checks ran, {len(found.errors)} {'finding' if len(found.errors) == 1 else 'findings'}"
    kind: Kind = "trouble" if found.errors else "finished"
    listener(Event(kind=kind, seconds=round(time.monotonic() - begun, 1), stage=str(FINAL), text=text))
    return found
