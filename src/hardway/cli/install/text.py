"""What `hardway install` tells while it works."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from hardway.cli.options import counted
from hardway.cli.terminal.text import show

if TYPE_CHECKING:
    from hardway.deliver.server import Event
    from hardway.model.cluster import Node
    from hardway.rhcos.console.read import Met, Reached
    from hardway.rhcos.images import Image
    from hardway.rhcos.medium import Medium
    from hardway.rhcos.order import Wave
    from hardway.rhcos.plan import Job


class Rows:
    """One line an event: for people, or as JSON."""

    def __init__(self, output: str) -> None:
        self._json = output == "json"

    def _line(self, what: str, row: dict[str, Any], text: str) -> None:
        click.echo(json.dumps({"event": what, **row})) if self._json else show(text)

    def plan(self, jobs: list[Job], method: str) -> None:
        from hardway.rhcos.order import waves

        fates = {job.name: job.fate for job in jobs}
        for wave, nodes in waves(job.machine.node for job in jobs):
            if not self._json:
                show(f"{wave.role}: {wave.why.what}")
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
            hint = "the release has not been read, and no checksum was given with --sha256"
            show(f"warning: {image.path} was not checked: {hint}", err=True)

    def medium(self, medium: Medium) -> None:
        done = "made" if medium.made else "kept"
        inside = "with all of its Ignition" if medium.way == "iso" else "with a pointer to its Ignition"
        row = {"node": medium.node, "path": str(medium.path), "way": medium.way, "made": medium.made}
        self._line("medium", row, f"{medium.node:12} {done} {medium.path.name}, {inside}")

    def files(self, paths: list[str]) -> None:
        for path in paths:
            self._line("file", {"path": path}, f"{'':12} wrote {path}")

    def serve(self, nodes: tuple[str, ...]) -> None:
        command = f"hardway deliver {' '.join(nodes)}"
        self._line("serve", {"nodes": list(nodes)}, f"before the machines boot, serve their Ignition files: {command}")

    def begun(self, wave: Wave, node: str) -> None:
        self._line("begun", {"node": node, "role": wave.role}, f"{node:12} switched on")

    def console(self, node: str, event: Reached | Met) -> None:
        from hardway.rhcos.console.read import Reached, remedy

        if isinstance(event, Reached):
            row = {"node": node, "phase": event.milestone.phase, "told": event.milestone.told}
            self._line("milestone", row, f"{node:12} {event.milestone.told}")
            return
        trouble = event.trouble
        row = {"node": node, "name": trouble.name, "failure": trouble.failure, "weight": trouble.weight}
        row |= {"meaning": trouble.meaning, "line": event.line, "fix": remedy(trouble, node)}
        name = f" ({trouble.failure})" if trouble.failure else ""
        self._line("trouble", row, f"{node:12} {trouble.meaning}{name}\n{'':12} console: {event.line}")

    def request(self, event: Event) -> None:
        text = f"{event.node:12} Ignition {event.what}, to {event.peer}"
        self._line("request", event.as_dict(), f"{text}: {event.detail}" if event.detail else text)

    def ended(self, node: str, good: bool) -> None:
        self._line("ended", {"node": node, "installed": good}, f"{node:12} {'installed' if good else 'FAILED'}")

    def end(self, jobs: list[Job]) -> None:
        row = {"installed": [job.name for job in jobs]}
        self._line("end", row, f"{counted(len(jobs), 'machine')} installed")
