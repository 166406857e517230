"""What `hardway install` tells while it works."""

from __future__ import annotations

import json
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

import click

from hardway.cli.options import counted, warn
from hardway.cli.terminal.settings import on_terminal
from hardway.cli.terminal.text import ours, show, tell
from hardway.cli.terminal.work import Work

if TYPE_CHECKING:
    from hardway.deliver.server import Event
    from hardway.model.cluster import Node
    from hardway.rhcos.console.read import Met, Reached
    from hardway.rhcos.images import Image
    from hardway.rhcos.medium import Medium
    from hardway.rhcos.order import Wave
    from hardway.rhcos.plan import Job


class Rows:
    """One line an event: for people, or as JSON. A terminal also shows what each machine does now, and since when."""

    def __init__(self, output: str, work: Work, *, dry_run: bool = False) -> None:
        self._json, self._say, self._work = output == "json", show if dry_run else tell, work
        self._now: dict[str, AbstractContextManager[None]] = {}

    def _line(self, what: str, row: dict[str, Any], text: str, *, finding: bool = False) -> None:
        say = show if finding else self._say
        click.echo(json.dumps({"event": what, **row})) if self._json else say(text)

    def _shown(self, node: str, phase: str = "") -> None:
        if last := self._now.pop(node, None):
            last.__exit__(None, None, None)
        if phase and on_terminal(err=True):
            self._now[node] = self._work.wait(f"{node}: {phase}")
            self._now[node].__enter__()

    def plan(self, jobs: list[Job], method: str) -> None:
        from hardway.rhcos.order import waves

        fates = {job.name: job.fate for job in jobs}
        for wave, nodes in waves(job.machine.node for job in jobs):
            if not self._json:
                self._say(f"{wave.role}: {wave.why.what}")
            for node in nodes:
                fate = fates[node.name]
                row = {"node": node.name, "role": node.role, "fate": fate, "method": method, "disk": node.disk}
                self._line("plan", row, f"  {node.name:12} {fate}")

    def would(self, nodes: list[Node], place: str, end: str) -> None:
        for node in nodes:
            path = f"assets/{place}/{node.name}{end}"
            self._line("would make", {"node": node.name, "path": path}, f"{node.name:12} would make {path}")

    def image(self, image: Image) -> None:
        row = {"release": image.release, "sha256": image.sha256, "checked": image.checked}
        self._line("image", row, f"{'image':12} {image.release or image.path}, sha256 {image.sha256[:16]}…")
        if not image.checked:
            why = "it was not checked, because the release has not been read"
            warn(str(image.path), why, "give its checksum with --sha256, or read the release with `hardway build 04`")

    def medium(self, medium: Medium) -> None:
        done = "made" if medium.made else "kept"
        inside = "with all of its Ignition" if medium.way == "iso" else "with a pointer to its Ignition"
        row = {"node": medium.node, "path": str(medium.path), "way": medium.way, "made": medium.made}
        self._line("medium", row, f"{medium.node:12} {done} {medium.path.name}, {inside}")

    def files(self, paths: list[str]) -> None:
        for path in paths:
            self._line("file", {"path": path}, f"{'':12} wrote {path}")

    def serve(self, nodes: tuple[str, ...]) -> None:
        command = f"{ours()} deliver {' '.join(nodes)}"
        self._line("serve", {"nodes": list(nodes)}, f"before the machines boot, serve their Ignition files: {command}")

    def begun(self, wave: Wave, node: str) -> None:
        self._line("begun", {"node": node, "role": wave.role}, f"{node:12} switched on")
        self._shown(node, "switched on")

    def console(self, node: str, event: Reached | Met) -> None:
        from hardway.rhcos.console.read import Reached, remedy

        if isinstance(event, Reached):
            row = {"node": node, "phase": event.milestone.phase, "told": event.milestone.told}
            self._line("milestone", row, f"{node:12} {event.milestone.told}")
            self._shown(node, event.milestone.told)
            return
        trouble = event.trouble
        row = {"node": node, "name": trouble.name, "failure": trouble.failure, "weight": trouble.weight}
        row |= {"meaning": trouble.meaning, "line": event.line, "fix": remedy(trouble, node)}
        name = f" ({trouble.failure})" if trouble.failure else ""
        text = f"{node:12} {trouble.meaning}{name}\n{'':12} console: {event.line}"
        self._line("trouble", row, text, finding=True)

    def request(self, event: Event) -> None:
        text = f"{event.node:12} Ignition {event.what}, to {event.peer}"
        self._line("request", event.as_dict(), f"{text}: {event.detail}" if event.detail else text)

    def ended(self, node: str, good: bool) -> None:
        self._shown(node)
        self._line("ended", {"node": node, "installed": good}, f"{node:12} {'installed' if good else 'FAILED'}")

    def end(self, jobs: list[Job]) -> None:
        row = {"installed": [job.name for job in jobs]}
        self._line("end", row, f"{counted(len(jobs), 'machine')} installed")
