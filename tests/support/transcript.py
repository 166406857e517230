"""Transcripts: `$ command` lines, what they must print, and `[exit N]` if they must fail.

`…` stands for any text within a line, and a line of `…` alone for any lines. Words are compared, not columns: any
width of blank space is like any other, so a table whose columns have become wider still fits. A line that is indented
must be indented, by however much. Output is standard output and standard error together. Commands run one after
another in bash, in one folder, with nobody there to answer questions.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ANY = "…"


@dataclass(frozen=True)
class Step:
    command: str
    output: tuple[str, ...]
    exit_code: int


def parse(text: str) -> list[Step]:
    steps: list[Step] = []
    output: list[str] = []
    command, code = "", 0
    for line in [*text.splitlines(), "$ "]:
        if line.startswith("$ "):
            if command:
                steps.append(Step(command, tuple(output), code))
            command, output, code = line[2:], [], 0
        elif command and line.startswith("> "):
            command += "\n" + line[2:]
        elif found := re.fullmatch(r"\[exit (\d+)\]", line):
            code = int(found[1])
        elif command:
            output.append(line)
    return steps


def environment(tools: Path) -> dict[str, str]:
    """PATH begins with a `hardway` that is this source tree's."""
    tools.mkdir(parents=True, exist_ok=True)
    program = tools / "hardway"
    program.write_text(f"#!{sys.executable}\nfrom hardway.cli.main import main\nmain()\n")
    program.chmod(0o755)
    path = f"{tools}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    source = str(Path(__file__).parents[2] / "src")
    mco = str(Path(__file__).parents[1] / "data" / "mco")
    return {**os.environ, "PATH": path, "PYTHONPATH": source, "LC_ALL": "C.UTF-8", "COLUMNS": "120", "MCO": mco}


def run(step: Step, folder: Path, env: dict[str, str]) -> tuple[int, list[str]]:
    done = subprocess.run(
        ["bash", "-c", step.command],
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return done.returncode, done.stdout.decode().splitlines()


def fits(wanted: Sequence[str], found: Sequence[str]) -> bool:
    """Whether the printed lines are the wanted ones, blank lines at the ends apart."""
    return _fit(_stripped(wanted), _stripped(found))


def _fit(wanted: list[str], found: list[str]) -> bool:
    if not wanted:
        return not found
    if wanted[0].strip() == ANY:
        return any(_fit(wanted[1:], found[skip:]) for skip in range(len(found) + 1))
    return bool(found) and _same(wanted[0], found[0]) and _fit(wanted[1:], found[1:])


def _same(wanted: str, found: str) -> bool:
    """Between two blanks, `…` may also stand for nothing: then they are one."""
    parts = re.split(f"( {ANY} |{ANY})", wanted)
    pattern = "".join({f" {ANY} ": " (?:.* )?", ANY: ".*"}.get(part, re.escape(part)) for part in parts)
    return re.fullmatch(pattern, found) is not None


def _stripped(lines: Sequence[str]) -> list[str]:
    """Without blanks at the ends of lines and blank lines at the ends, and with one blank for each run of them."""
    text = "\n".join(re.sub(r"\s+", " ", line.rstrip()) for line in lines).strip("\n")
    return text.split("\n") if text else []
