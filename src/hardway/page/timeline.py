"""A run as a time line: for each milestone a bar from the one before to its own, for each node a lane with its steps.

Positions are attributes and no style: the pages' policy allows none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hardway.drive.events import Event
from hardway.drive.milestones.table import TABLE
from hardway.page.html import Html, join, tag
from hardway.page.site import Site

LONG, HIGH, MARK = 1000, 12, 5  # of a line, which is stretched to the room that there is; and of a step on it


def timeline(site: Site, run: Sequence[Event]) -> Html:
    end = run[-1].seconds or 1
    return join((tag("ul", *_milestones(run, end), class_="milestones"), _lanes(site, run, end)))


def _milestones(run: Sequence[Event], end: float) -> Iterator[Html]:
    reached = {event.milestone: event.seconds for event in run if event.kind == "reached"}
    before = 0.0
    for row in TABLE:
        if row.name not in reached:
            yield tag("li", tag("span", row.name), tag("small", "not reached"), data_milestone=row.name)
            continue
        begun, over = sorted((before, reached[row.name]))
        bar = _line(f"{row.name}: from {begun:.0f} s to {over:.0f} s", _part(begun, over, end))
        yield tag("li", tag("span", row.name), bar, tag("small", f"{over:.0f} s"), data_milestone=row.name)
        before = over


def _lanes(site: Site, run: Sequence[Event], end: float) -> Html | None:
    """Nodes that something was done on, in the order of the plan."""
    steps = [event for event in run if event.kind in ("acted", "asked") and event.node]
    names = [node.name for node in site.workspace.loaded.cluster.nodes if any(one.node == node.name for one in steps)]
    lanes = [_lane(name, [one for one in steps if one.node == name], end) for name in names]
    return join((tag("h3", "Steps on each node"), tag("ul", *lanes, class_="milestones lanes"))) if lanes else None


def _lane(name: str, steps: Sequence[Event], end: float) -> Html:
    count = f"{len(steps)} {'step' if len(steps) == 1 else 'steps'}"
    marks = (_part(one.seconds, one.seconds, end, data_at=f"{one.seconds:.1f}") for one in steps)
    said = f"{name}: {count}, from {steps[0].seconds:.0f} s to {steps[-1].seconds:.0f} s"
    return tag("li", tag("span", name), _line(said, *marks), tag("small", count))


def _line(said: str, *parts: Html) -> Html:
    attributes = {"viewBox": f"0 0 {LONG} {HIGH}", "preserveAspectRatio": "none"}
    return tag("svg", *parts, role="img", aria_label=said, **attributes)


def _part(begun: float, over: float, end: float, **more: str) -> Html:
    """At least so long that it can be seen, and not beyond the end."""
    first, last = (LONG * min(max(seconds, 0.0), end) / end for seconds in (begun, over))
    wide = max(last - first, MARK)
    return tag("rect", x=f"{min(first, LONG - wide):.1f}", y="0", width=f"{wide:.1f}", height=str(HIGH), **more)
