"""Starts the lab's programs so that they outlive this one, and can be found again by their control groups."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from hardway.lab import cgroups
from hardway.lab.paths import LabPaths
from hardway.tools.run import run

END = 1 << 16  # bytes of a log that are looked at


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


def within(paths: LabPaths, what: str, command: list[str]) -> list[str]:
    """The command as it has to be called to run in the groups of a program of the lab, whoever calls it."""
    script = str(files("hardway.lab").joinpath("files", "within.sh"))
    return ["bash", script, *map(str, cgroups.make(paths, what)), "--", *command]


def last_lines(log: Path, count: int = 12) -> str:
    """Of its end: a node may have written more to its console than fits in memory."""
    try:
        with log.open("rb") as stream:
            stream.seek(max(0, log.stat().st_size - END))
            lines = stream.read(END).decode(errors="replace").splitlines()[-count:]
    except FileNotFoundError:
        lines = []
    return "\n".join(f"    {line}" for line in lines) or "    (nothing)"
