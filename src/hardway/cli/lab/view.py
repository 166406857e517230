"""What a running lab shows: a table that is redrawn on a terminal, plain lines elsewhere, or one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import click

from hardway.cli.terminal.settings import chosen, on_terminal
from hardway.cli.terminal.work import Work, working
from hardway.io.harmless import harmless

if TYPE_CHECKING:
    from hardway.drive.events import Event
    from hardway.drive.live import LiveCluster
    from hardway.drive.pulse import Figures
    from hardway.lab.prepared import Prepared
    from hardway.lab.up import Watch
    from hardway.pipeline.build import Watchers


class View(Protocol):
    live: bool  # whether it wants to know how the nodes are

    @property
    def watchers(self) -> Watchers | None:
        """Of the build, if it shall be told apart from the rest."""

    def event(self, event: Event) -> None: ...

    def look(self, states: Mapping[str, str], available: Callable[[], str]) -> None:
        """The state of each node, and what the probing client has counted."""

    def prepare(self, what: str, done: int, total: int) -> None: ...


@dataclass(slots=True)
class Lines:
    """Without a terminal, and for programs: every event once."""

    as_json: bool
    work: Work
    subject: str = ""
    live: bool = False

    @property
    def watchers(self) -> None:
        return None

    def event(self, event: Event) -> None:
        if self.as_json:
            click.echo(json.dumps(event.as_dict()))
        elif not chosen.quiet:
            click.echo(harmless(event.line()))

    def look(self, states: Mapping[str, str], available: Callable[[], str]) -> None:
        """Events tell of what changes."""

    def prepare(self, what: str, done: int, total: int) -> None:
        subject = what.partition(":")[0]
        if self.as_json and subject != self.subject:
            click.echo(json.dumps({"kind": "preparing", "text": subject}))
        self.subject = subject
        if not self.as_json:
            self.work.advance(what, done, total)


@contextmanager
def watched(until: int, output: str) -> Iterator[View]:
    if output == "text" and not chosen.quiet and on_terminal() and on_terminal(err=True):
        from hardway.cli.terminal.screen import shown

        with shown(until) as screen:
            yield screen
        return
    with working() as work:
        yield Lines(as_json=output == "json", work=work)


def available(seen: Figures) -> str:
    """Of a client that has begun to ask."""
    if not seen.requests:
        return ""
    share = 100 * (seen.requests - seen.failed) / seen.requests
    return (
        f"{share:.2f} % of {seen.requests} requests answered, {seen.failed} failed; "
        f"{seen.lost} of {seen.writes} writes lost; {seen.silent:.1f} s without an answer"
    )


def watching(view: View) -> Watch:
    """What the lab tells as it goes, for the view."""
    from hardway.drive import pulse
    from hardway.lab.status import states
    from hardway.lab.up import Watch

    def turn(prepared: Prepared, live: LiveCluster) -> None:
        view.look(states(prepared, live), lambda: available(pulse.read(prepared.paths.folder)))

    return Watch(listener=view.event, turn=turn) if view.live else Watch(listener=view.event)
