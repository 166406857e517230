"""A lab that comes up, as a table: its nodes, its stages with what is waited for, and how available the API was."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from hardway.cli.terminal.drawing import cut
from hardway.cli.terminal.rows import span
from hardway.drive.milestones.table import TABLE
from hardway.io.harmless import harmless
from hardway.model.stages import NAMES

if TYPE_CHECKING:
    from hardway.drive.events import Event

LET_GO = "balancer"  # the milestone that shows that a person has changed the load balancer
SAID = 4  # events that stay in sight
FIRST = int(TABLE[0].stage)
MARKS = {"finished": "✓", "trouble": "✗"}
COLOURS = {"✓": "green", "…": "yellow", "✗": "red"} | {
    "Ready": "green",
    "not Ready": "yellow",
    "off": "dim",
    "on": "cyan",
}


@dataclass(slots=True, kw_only=True)
class Board:
    """The clock is given, and so is the size."""

    until: int
    nodes: dict[str, tuple[str, float]] = field(default_factory=dict)  # a node's state, and since when
    reached: dict[str, float] = field(default_factory=dict)
    stages: dict[str, tuple[str, str]] = field(default_factory=dict)  # one without milestones: its mark, what was said
    waiting: tuple[str, str, float] = ("", "", 0.0)  # milestone, for what, since when
    asked: dict[tuple[str, str], str] = field(default_factory=dict)  # of a person: for which node, and what
    available: Callable[[], str] = str  # what the probing client has counted
    said: deque[str] = field(default_factory=lambda: deque(maxlen=SAID))

    def see(self, states: Mapping[str, str], now: float) -> None:
        for name, state in states.items():
            if self.nodes.get(name, ("", 0.0))[0] != state:
                self.nodes[name] = (state, now)
                self._done({name}, ("on", "off"))

    def hear(self, event: Event, now: float) -> None:
        if event.kind == "reached":
            self.reached[event.milestone] = event.seconds
            self._done(self.nodes, ("out",) if event.milestone == LET_GO else ())
        elif event.kind == "asked":
            self.asked[event.node, event.asks] = harmless(event.text)
        elif event.kind == "waiting":
            since = self.waiting[2] if self.waiting[0] == event.milestone else now
            self.waiting = (event.milestone, harmless(event.text), since)
        elif event.stage and not event.milestone:
            self.stages[event.stage] = (MARKS.get(event.kind, "…"), harmless(event.text))
        else:
            self.said.append(harmless(event.line().replace("\n", " ")))

    def _done(self, nodes: Collection[str], asks: Collection[str]) -> None:
        self.asked = {
            (node, what): text for (node, what), text in self.asked.items() if not (node in nodes and what in asks)
        }

    @property
    def begun(self) -> bool:
        return bool(self.nodes or self.reached or self.stages or self.waiting[0])

    def draw(self, now: float, height: int) -> RenderableType:
        """What does not fit is left out: first what was said, then the stages that are over."""
        if not self.begun:
            return Group()
        stages = list(self._stages(now))
        counted = self.available()
        room = height - len(self.nodes) - len(stages) - 6
        if room < 0:
            over = [row for row in stages if row[0] == "✓"]
            stages = [row for row in stages if row not in over]
            if over:
                stages.insert(0, ("✓", f"{over[0][1].split()[0]} to {over[-1][1].split()[0]}", "", over[-1][3]))
        said = list(self.said)[-room:] if room > 0 else []
        parts: list[RenderableType] = [_table(("", "node", "state", "since"), self._nodes(now)), Text()]
        parts.append(_table(("", "stage", "milestones", "time"), stages))
        facts = [("please", text, "bold yellow") for text in self.asked.values()]
        facts += [("waits for", self._missing, "yellow"), ("available", counted, "")]
        parts += [Text(), _facts([fact for fact in facts if fact[1]])]
        return Group(*parts, *(cut(line, "dim") for line in said))

    @property
    def _missing(self) -> str:
        name, text, _ = self.waiting
        return "" if not name or name in self.reached else f"{name}: {text}".replace("\n", " ")

    def _nodes(self, now: float) -> Iterator[tuple[str, ...]]:
        for name, (state, since) in self.nodes.items():
            yield "✓" if state == "Ready" else "", name, state, span(now - since)

    def _stages(self, now: float) -> Iterator[tuple[str, str, str, str]]:
        for number in range(FIRST, self.until + 1):
            stage = NAMES[f"{number:02}"]
            rows = [row.name for row in TABLE if row.stage == stage.number]
            there = [name for name in rows if name in self.reached]
            count = f"{len(there)} of {len(rows)}" if rows else ""
            if rows and len(there) == len(rows):
                yield "✓", stage.label, count, f"after {span(max(self.reached[name] for name in there))}"
            elif self.waiting[0] in rows and self.waiting[0] not in self.reached:
                yield "…", stage.label, count, f"for {span(now - self.waiting[2])}"
            else:
                mark, said = self.stages.get(stage.number, ("", ""))
                yield mark, stage.label, count, said


def _facts(rows: Iterable[tuple[str, str, str]]) -> Table:
    """These are not cut: they say why."""
    table = Table.grid(padding=(0, 2, 0, 0))
    for label, text, style in rows:
        table.add_row("", Text(label, "bold", no_wrap=True), Text(text, style))
    return table


def _table(titles: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold", expand=True)
    for title in titles[:-1]:
        table.add_column(title, no_wrap=True, min_width=1)
    table.add_column(titles[-1], no_wrap=True, overflow="ellipsis", ratio=1)
    for row in rows:
        table.add_row(*(Text(cell, COLOURS.get(cell, "")) for cell in row))
    return table
