"""A `lab up` as it happened: from the record of a real run. It plays once, and who asks for less motion sees its end.

Milestones are bars over the time, from the one before to their own, whose second is at the end of the line; nodes are
lanes with a mark for each step that was taken on them. `recorded/events.jsonl` is what `lab up` has kept of the run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from html import escape
from pathlib import Path

from hardway.drive.events import Event
from hardway.drive.record import events
from hardway.explain.pages import default_cluster
from hardway.explain.pictures.canvas import Canvas, width
from hardway.model.cluster import Node

FOLDER = Path(__file__).parent / "recorded"
PLAYED = 20  # seconds
LINE, BAR, TOP, EDGE, LONG, TICK = 22, 12, 76, 16, 560, 30
STYLE = f"""\
  <style>
    .mark {{ fill: #9a6700; stroke: none }}
    .now {{ fill: none; stroke: #cf222e; stroke-width: 1.5; opacity: 0 }}
    @media (prefers-color-scheme: dark) {{
      .mark {{ fill: #d29922 }}
      .now {{ stroke: #f85149 }}
    }}
    @media (prefers-reduced-motion: no-preference) {{
      .grow, .come {{ animation: both linear }}
      .grow {{ animation-name: grow; transform-box: fill-box; transform-origin: left }}
      .come {{ animation-name: come; animation-duration: .2s }}
      .now {{ animation: now {PLAYED}s both linear }}
    }}
    @keyframes grow {{ from {{ transform: scaleX(0) }} }}
    @keyframes come {{ from {{ opacity: 0 }} }}
    @keyframes now {{ from {{ opacity: 1 }} 99% {{ opacity: 1 }} to {{ opacity: 0; transform: translateX({LONG}px) }} }}
  </style>"""


@cache
def run() -> tuple[Event, ...]:
    return events(FOLDER)


def reached(every: Sequence[Event]) -> dict[str, Event]:
    """By milestone, in order."""
    return {event.milestone: event for event in every if event.kind == "reached"}


def steps(every: Sequence[Event], node: str) -> list[Event]:
    return [event for event in every if event.kind == "acted" and event.node == node]


def nodes(every: Sequence[Event]) -> list[Node]:
    """Of the example cluster, those that something was done on."""
    return [node for node in default_cluster().nodes if steps(every, node.name)]


def picture() -> str:
    every = run()
    names, lanes, end = reached(every), nodes(every), every[-1].seconds
    canvas = Canvas(
        title=f"hardway lab up: {_counted(lanes, 'master')} and {_counted(lanes, 'worker')} in {end:.0f} seconds",
        description="; ".join(f"{name} after {event.seconds:.0f} s" for name, event in names.items()),
    )
    canvas.drawn.append(STYLE)
    left = EDGE + width("00 ", "code") + max(width(name, "code") for name in names) + EDGE
    canvas.text((EDGE, 28), canvas.title, "head")
    canvas.text((EDGE, 48), f"the record of a real run, played in {PLAYED} seconds", "small")
    below = TOP + LINE * (len(names) + 1) + 6
    bottom = below + LINE * len(lanes)
    chart = _Chart(canvas=canvas, left=left, end=end)
    chart.axis(bottom)
    before = 0.0
    for row, (name, event) in enumerate(names.items()):
        chart.milestone(TOP + row * LINE, name, event, before)
        before = event.seconds
    canvas.text((EDGE, below - 6), "steps on each node", "small")
    for row, node in enumerate(lanes):
        leaves = names["bootstrap-off"].seconds if node.role == "bootstrap" else end
        chart.lane(below + row * LINE, node, steps(every, node.name), leaves)
    canvas.line([(left, TOP - 8), (left, bottom)], "now")
    return canvas.svg((left + LONG + width("000 s", "small") + 2 * EDGE, bottom + EDGE))


def _counted(several: Sequence[Node], role: str) -> str:
    count = sum(node.role == role for node in several)
    return f"{count} {role}{'' if count == 1 else 's'}"


class _Chart:
    """Where the seconds are."""

    def __init__(self, *, canvas: Canvas, left: float, end: float) -> None:
        self._canvas, self._left, self._end = canvas, left, end

    def at(self, seconds: float) -> float:
        return self._left + LONG * seconds / self._end

    def axis(self, bottom: float) -> None:
        for seconds in range(0, int(self._end) + 1, TICK):
            x = self.at(seconds)
            self._canvas.text((x, TOP - 12), f"{seconds} s", "small", "middle")
            self._canvas.line([(x, TOP - 8), (x, bottom)], "grid")

    def milestone(self, y: float, name: str, event: Event, before: float) -> None:
        self._canvas.text((EDGE, y + 11), event.stage, "code")
        self._canvas.text((EDGE + width("00 ", "code"), y + 11), name, "code")
        with self._moving("grow", before, event.seconds):
            self._bar(y, before, event.seconds)
        with self._moving("come", event.seconds):
            self._canvas.text((self._left + LONG + 8, y + 11), f"{event.seconds:.0f} s", "small")

    def lane(self, y: float, node: Node, several: Sequence[Event], leaves: float) -> None:
        self._canvas.text((EDGE, y + 11), node.name, "code")
        with self._moving("grow", several[0].seconds, leaves):
            self._bar(y, several[0].seconds, leaves)
        for event in several:
            with self._moving("come", event.seconds, said=event.text):
                self._canvas.circle((self.at(event.seconds), y + 1 + BAR / 2), 3.5, "mark")

    def _bar(self, y: float, begun: float, over: float) -> None:
        self._canvas.box(
            (round(self.at(begun), 1), y + 1), (max(round(LONG * (over - begun) / self._end, 1), 2), BAR), "lane"
        )

    @contextmanager
    def _moving(self, how: str, begun: float, over: float = 0.0, said: str = "") -> Iterator[None]:
        """What is drawn meanwhile appears at this second of the run, or grows until that one."""
        pace = PLAYED / self._end
        last = f";animation-duration:{(over - begun) * pace:.2f}s" if over else ""
        title = f"<title>{escape(said)}</title>" if said else ""
        self._canvas.drawn.append(f'  <g class="{how}" style="animation-delay:{begun * pace:.2f}s{last}">{title}')
        yield
        self._canvas.drawn.append("  </g>")
