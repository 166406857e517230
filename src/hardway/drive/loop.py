"""Look, decide, act, tell; again, until all is reached or a milestone has taken too long."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from hardway.drive.act import act
from hardway.drive.decide import LAST, Decision, decide
from hardway.drive.events import Event, Kind, Listener
from hardway.drive.live import LiveCluster
from hardway.drive.milestones.row import Milestone
from hardway.drive.milestones.table import BY_NAME
from hardway.drive.observation import Observation
from hardway.drive.observe import observe
from hardway.model.errors import CheckError
from hardway.tools.patience import Patience

PAUSE = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    until: int = LAST  # the last stage to go to
    pause: float = PAUSE
    patience: float = 1.0  # times every milestone's limit
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    look: Callable[[Observation], None] = lambda seen: None  # for whoever else wants to know what a turn has seen


@dataclass(slots=True)
class _Narrator:
    """What was said already: a turn that changes nothing says nothing."""

    listener: Listener
    clock: Callable[[], float]
    begun: float
    reached: set[str] = field(default_factory=set)
    refused: set[tuple[str, str]] = field(default_factory=set)
    last: dict[str, str] = field(default_factory=dict)
    waiting: str = ""
    left: Patience = field(default_factory=lambda: Patience(0.0))

    def say(self, kind: Kind, text: str, *, row: Milestone | None = None, node: str = "") -> None:
        self.listener(
            Event(
                kind=kind,
                seconds=round(self.clock() - self.begun, 1),
                text=text,
                stage=row.stage if row else "",
                milestone=row.name if row else "",
                node=node,
                failures=row.failures if row and kind == "stalled" else (),
            )
        )

    def say_if_new(self, kind: Kind, about: str, text: str, *, row: Milestone | None = None, node: str = "") -> None:
        if self.last.get(about) != text:
            self.last[about] = text
            self.say(kind, text, row=row, node=node)


def drive(live: LiveCluster, listener: Listener, options: Options = Options()) -> Observation:  # noqa: B008  (frozen)
    """Until every milestone up to that stage is reached; what was seen last. A stall is a CheckError.

    A second run looks, and goes on from what it sees. Reached milestones are remembered for machines that are off.
    """
    narrator = _Narrator(listener=listener, clock=options.clock, begun=options.clock())
    while True:
        seen = observe(live)
        options.look(seen)
        decision = decide(seen, live.cluster, options.until)
        live.machines.remember(decision.reached)
        _tell(narrator, decision)
        if decision.waiting is None:
            narrator.say("finished", f"every milestone up to stage {options.until} is reached")
            return seen
        _hurry(narrator, decision, options)
        for action in decision.actions:
            trouble = act(live, action)
            about = f"{action.kind} {action.node} {action.text}"
            narrator.say_if_new("trouble" if trouble else "acted", about, trouble or action.text, node=action.node)
        options.sleep(options.pause)


def _tell(narrator: _Narrator, decision: Decision) -> None:
    for name in decision.reached:
        if name not in narrator.reached:
            narrator.reached.add(name)
            narrator.say("reached", BY_NAME[name].why.what, row=BY_NAME[name])
    for verdict in decision.refused:
        if (verdict.uid, verdict.reason) not in narrator.refused:
            narrator.refused.add((verdict.uid, verdict.reason))
            narrator.say("refused", f"{verdict.request} by {verdict.user}: {verdict.reason}", node=verdict.node)
    row = decision.waiting
    if row is not None:
        narrator.say_if_new("waiting", "waiting", decision.missing, row=row)


def _hurry(narrator: _Narrator, decision: Decision, options: Options) -> None:
    row = decision.waiting
    assert row is not None
    limit = row.seconds * options.patience
    if narrator.waiting != row.name:
        narrator.waiting, narrator.left = row.name, Patience(limit)
    if not narrator.left.ended():
        return
    narrator.say("stalled", decision.missing, row=row)
    raise CheckError(
        f"stage {row.stage}, {row.name}: not reached in {limit:.0f} s ({row.limit}).\n"
        f"    missing: {decision.missing}\n"
        f"    made by: {row.who}; visible in: {row.observed}\n"
        f"    fix: {_advice(row)}; then run this again to continue"
    )


def _advice(row: Milestone) -> str:
    known = ", ".join(f"`hardway explain failure/{name}`" for name in row.failures)
    return f"known causes: {known}" if known else "look at the machine's console and journal"
