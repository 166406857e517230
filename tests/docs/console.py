"""The guide's console blocks: commands after `$ `, and under each what it prints.

Chapter 04 is optional. A block that says `console with chapter 04` is for those who have read it, one that says
`console without chapter 04` for those who have not.

In what is printed, `…` stands for what it does in a transcript. Everything else must be there, in order, and nothing
besides. Every command must succeed.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import hardway
from hardway.registry.podman import containers_conf
from tests.support.lab.release import storage_conf
from tests.support.transcript import fits

MARK = "guide-command-ended"
FENCE = re.compile(r"^```console(?: (with|without) chapter 04)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(slots=True)
class Command:
    chapter: str
    line: int
    text: str
    printed: list[str] = field(default_factory=list)


def commands(chapter: Path, *, release: bool = True) -> list[Command]:
    """Those of a reader who has read chapter 04, or has not."""
    text = chapter.read_text()
    found: list[Command] = []
    for block in FENCE.finditer(text):
        if block[1] == ("without" if release else "with"):
            continue
        first = text.count("\n", 0, block.start(2)) + 1
        for number, line in enumerate(block[2].splitlines(), first):
            if line.startswith("$ "):
                found.append(Command(chapter=chapter.name, line=number, text=line[2:]))
            elif line.startswith("> ") and not found[-1].printed:
                found[-1].text += "\n" + line[2:]
            else:
                found[-1].printed.append(line)
    return found


def run(script: list[Command], folder: Path, extra_path: Path) -> list[tuple[int, list[str]]]:
    """All of them in one shell, as a reader would type them: each one's exit code and the lines it printed."""
    environment = {
        "PATH": f"{extra_path}:{os.environ['PATH']}",
        "HOME": str(folder),
        "XDG_CACHE_HOME": os.environ.get("XDG_CACHE_HOME", str(Path.home() / ".cache")),
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
    }
    with tempfile.TemporaryDirectory(prefix="hardway-guide-") as scratch:
        return run_in(["bash"], script, folder, environment | _podman(Path(scratch)))


def run_in(
    shell: Sequence[str], script: list[Command], folder: Path, environment: dict[str, str]
) -> list[tuple[int, list[str]]]:
    """The same in any shell, and with nothing in its environment but what is given."""
    text = "".join(f"{c.text}\nprintf '\\n{MARK} %s\\n' $?\n" for c in script)
    output = _shell(shell, text, folder, environment)
    parts = re.split(rf"^{MARK} (\d+)\n", output, flags=re.MULTILINE)
    outputs, codes = parts[0:-1:2], parts[1::2]
    return [(int(code), output.splitlines()) for code, output in zip(codes, outputs, strict=True)]


def _shell(shell: Sequence[str], text: str, folder: Path, environment: dict[str, str]) -> str:
    """What a shell prints. If the test has taken too long, everything that the shell started ends with it."""
    process = subprocess.Popen(
        shell,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=folder,
        env=environment,
        start_new_session=True,
    )
    try:
        return process.communicate(text)[0]
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise


def _podman(scratch: Path) -> dict[str, str]:
    """Images in a storage that goes away with the test, and settings that work on this machine."""
    (scratch / "containers.conf").write_text(containers_conf())
    return {
        "CONTAINERS_STORAGE_CONF": str(storage_conf(scratch)),
        "CONTAINERS_CONF": str(scratch / "containers.conf"),
    }


def replaced(script: list[Command], others: Mapping[str, str]) -> list[Command]:
    """The same commands with other ports, names and networks than those that are written, which may be taken."""

    def other(text: str) -> str:
        for written, instead in others.items():
            text = text.replace(written, instead)
        return text

    return [replace(c, text=other(c.text), printed=[other(line) for line in c.printed]) for c in script]


def wrong(script: list[Command], ran: list[tuple[int, list[str]]]) -> str:
    """Which commands failed, or printed something else than is shown under them."""
    return "\n\n".join(
        "\n".join(
            [
                f"{command.chapter}:{command.line}: $ {command.text}",
                f"exit code {code}\n--- the chapter shows",
                *command.printed,
                "--- it printed",
                *printed,
            ]
        )
        for command, (code, printed) in zip(script, ran, strict=True)
        if code != 0 or not fits(command.printed, printed)
    )


def wrapper(folder: Path) -> Path:
    """A folder with `hardway` in it, for PATH; a copy, so that an edit during the run does not make builds stale."""
    folder.mkdir()
    program = folder / "hardway"
    source = folder / "source"
    shutil.copytree(Path(hardway.__file__).parent, source / "hardway", ignore=shutil.ignore_patterns("__pycache__"))
    start = "from hardway.cli.main import main; main()"
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{source}" exec "{sys.executable}" -c "{start}" "$@"\n')
    program.chmod(0o755)
    return folder
