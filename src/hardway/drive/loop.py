"""Look, decide, act, tell; again, until all is reached or a milestone has taken too long."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from hardway.drive.act import Outcome, act
from hardway.drive.decide import LAST, Action, Decision, decide
from hardway.drive.events import Event, Kind, Listener
from hardway.drive.live import LiveCluster
from hardway.drive.milestones.row import Milestone
from hardway.drive.milestones.table import BY_NAME
from hardway.drive.observation import Observation
from hardway.drive.observe import observe
from hardway.drive.stall import Cause, failures, stalled
from hardway.io.harmless import one_line
from hardway.model.cluster import Cluster
from hardway.tools.patience import Patience

PAUSE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    until: int = LAST  # the last stage to go to
    pause: float = PAUSE
    patience: float = 1.0  # times every milestone's limit
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    look: Callable[[Observation], None] = lambda seen: None  # for whoever else wants to know what a turn has seen
    diagnose: Callable[[], Sequence[Cause]] = lambda: ()  # asked when a milestone has taken too long


@dataclass(slots=True)
class _Narrator:
    """What was said already: a turn that changes nothing says nothing."""

    listener: Listener
    clock: Callable[[], float]
    begun: float
    reached: set[str] = field(default_factory=set)
    refused: set[tuple[str, str]] = field(default_factory=set)
    last: dict[str, str] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)  # of a person, in this turn
    open: set[str] = field(default_factory=set)  # in the turn before
    waiting: str = ""
    achieved: set[str] = field(default_factory=set)
    left: Patience = field(default_factory=lambda: Patience(0.0))

    def say(
        self,
        kind: Kind,
        text: str,
        *,
        row: Milestone | None = None,
        node: str = "",
        failures: tuple[str, ...] = (),
        asks: str = "",
    ) -> None:
        self.listener(
            Event(
                kind=kind,
                seconds=round(self.clock() - self.begun, 1),
                text=text,
                stage=row.stage if row else "",
                milestone=row.name if row else "",
                node=node,
                failures=failures,
                asks=asks,
            )
        )

    def say_if_new(self, kind: Kind, about: str, text: str, *, row: Milestone | None = None, node: str = "") -> None:
        if self.last.get(about) != text:
            self.last[about] = text
            self.say(kind, text, row=row, node=node)

    def say_done(self, action: Action, done: Outcome) -> None:
        about, text = f"{action.kind} {action.node} {action.text}", done.trouble or action.text
        if done.asks:
            self.asked.add(about)
            self.waiting = ""  # no time limit runs: a person takes as long as it takes
        if self.last.get(about) != text:
            self.last[about] = text
            self.say(done.kind, text, node=action.node, asks=done.asks or "")

    def close_requests(self) -> None:
        """What a person was asked for and no longer is was done; it may be asked for again."""
        for about in self.open - self.asked:
            self.last.pop(about, None)
        self.open, self.asked = self.asked, set()


def drive(live: LiveCluster, listener: Listener, options: Options = Options()) -> Observation:  # noqa: B008  (frozen)
    """Until every milestone up to that stage is reached; what was seen last. A stall is a CheckError.

    A second run looks, and goes on from what it sees. Reached milestones are remembered for machines that are off.
    """
    narrator = _Narrator(listener=listener, clock=options.clock, begun=options.clock())
    done: tuple[Action, ...] = ()
    while True:
        seen = observe(live)
        options.look(seen)
        decision = decide(seen, live.cluster, options.until)
        live.machines.remember(decision.reached)
        _tell(narrator, decision)
        if decision.waiting is None:
            narrator.say("finished", f"every milestone up to stage {options.until} is reached")
            return seen
        _hurry(narrator, decision, seen, live.cluster, options)
        for action, outcome in carried_out(live, decision.actions):
            narrator.say_done(action, outcome)
        narrator.close_requests()
        options.sleep(options.pause if decision.actions == done else 0)  # what is new has changed the picture
        done = decision.actions


def carried_out(live: LiveCluster, actions: tuple[Action, ...]) -> Iterator[tuple[Action, Outcome]]:
    """Each with what came of it: one after the other, then machines, which start side by side."""
    starts = tuple(action for action in actions if action.kind == "start")
    for action in actions:
        if action not in starts:
            yield action, act(live, action)
    yield from zip(starts, live.pool.map(lambda action: act(live, action), starts), strict=True)


def _tell(narrator: _Narrator, decision: Decision) -> None:
    for name in decision.reached:
        if name not in narrator.reached:
            narrator.reached.add(name)
            narrator.say("reached", BY_NAME[name].why.what, row=BY_NAME[name])
    for verdict in decision.refused:
        if (verdict.uid, verdict.reason) not in narrator.refused:
            narrator.refused.add((verdict.uid, verdict.reason))
            narrator.say(
                "refused", one_line(f"{verdict.request} by {verdict.user}: {verdict.reason}"), node=verdict.node
            )
    row = decision.waiting
    if row is not None:
        narrator.say_if_new("waiting", "waiting", decision.missing, row=row)


def _hurry(narrator: _Narrator, decision: Decision, seen: Observation, cluster: Cluster, options: Options) -> None:
    """Where somebody gets further, the time begins anew: a slow cluster is no broken one (F43)."""
    row = decision.waiting
    assert row is not None
    limit = row.seconds * options.patience
    achieved = row.progress(seen, cluster) if row.progress else frozenset()
    if narrator.waiting != row.name or achieved - narrator.achieved:
        narrator.waiting, narrator.left = row.name, Patience(limit)
    narrator.achieved |= achieved
    if not narrator.left.ended():
        return
    causes = options.diagnose() or row.causes(seen, cluster)
    narrator.say("stalled", decision.missing, row=row, failures=failures(row, causes))
    raise stalled(row, decision.missing, limit, causes)
