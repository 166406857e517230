"""What is mounted, as the kernel tells it."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from pathlib import Path

from hardway.tools.patience import Patience
from hardway.tools.run import attempt, run

SECONDS, PAUSE = 30.0, 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class Mount:
    target: str
    kind: str
    source: str


def table() -> list[Mount]:
    """In the order in which they were mounted."""
    return [_parsed(line) for line in Path("/proc/self/mountinfo").read_text().splitlines()]


def _parsed(line: str) -> Mount:
    before, _, after = line.partition(" - ")
    kind, source, *_ = after.split(" ")
    return Mount(target=_plain(before.split(" ")[4]), kind=kind, source=_plain(source))


def _plain(text: str) -> str:
    """The kernel writes spaces and their like as octal numbers."""
    return re.sub(r"\\([0-7]{3})", lambda m: chr(int(m[1], 8)), text)


def covering(path: Path) -> Mount:
    """The mount that a path is on."""
    real = path.resolve()
    return max((m for m in table() if real.is_relative_to(m.target)), key=lambda m: len(m.target))


def below(folder: Path) -> list[str]:
    """Mount points in the folder, the last mounted first."""
    return [m.target for m in reversed(table()) if Path(m.target).is_relative_to(folder)]


def remove_below(folder: Path) -> None:
    """A process that is dying keeps a mount busy until it is gone. One that stays busy is taken out of sight, and ends
    with whoever uses it."""
    for target in below(folder):
        patience = Patience(SECONDS)
        while not attempt(["umount", target]).ok and target in below(folder):
            if patience.ended():
                run(["umount", "--lazy", target])
                break
            time.sleep(PAUSE)
