"""Starts the lab's programs so that they outlive this one, and can be found again by their control groups."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from hardway.lab import cgroups
from hardway.lab.paths import LabPaths
from hardway.tools.run import run


def shipped(name: str) -> bytes:
    """A file of the lab's own."""
    return files("hardway.lab").joinpath("files", name).read_bytes()


def launch(paths: LabPaths, what: str, command: list[str], *, log: Path) -> None:
    """Start it, unless it runs; what it prints goes to the log. It is the init process's child from then on."""
    if cgroups.runs(paths, what):
        return
    groups = cgroups.make(paths, what)
    log.parent.mkdir(parents=True, exist_ok=True)
    script = str(files("hardway.lab").joinpath("files", "launch.sh"))
    run(["setsid", "--fork", "bash", script, str(log), *map(str, groups), "--", *command])


def last_lines(log: Path, count: int = 12) -> str:
    try:
        lines = log.read_text(errors="replace").splitlines()[-count:]
    except FileNotFoundError:
        lines = []
    return "\n".join(f"    {line}" for line in lines) or "    (nothing)"
