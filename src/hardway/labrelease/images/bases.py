"""The two Debians that a lab stands on, made once and kept: how old they are, and how to be rid of them.

Debian mends its packages. A base that was made months ago has not got any of that.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from hardway.labrelease import places
from hardway.model.errors import ToolError

OLD = timedelta(days=30)
AGAIN = "hardway lab release clean --bases"
_PATTERNS = {"images": "blobs/layers/base-*", "nodes": "node-root-*"}
_UNFINISHED = (".lock", ".part")


@dataclass(frozen=True, slots=True, kw_only=True)
class Base:
    """One of them: what stands on it, and where it is."""

    of: str
    place: Path
    made: datetime

    def days(self, now: datetime) -> int:
        return max(0, (now - self.made).days)

    def told(self, now: datetime) -> str:
        hint = f"; `{AGAIN}` lets the next `lab up` make it again" if now - self.made > OLD else ""
        days = self.days(now)
        return f"Debian of the {self.of}, {days} {'day' if days == 1 else 'days'} old{hint}"


def bases(root: Path | None = None) -> list[Base]:
    place = root or places.cache()
    found = [(of, path) for of, pattern in _PATTERNS.items() for path in sorted(place.glob(pattern))]
    return [
        Base(of=of, place=path, made=datetime.fromtimestamp(path.stat().st_ctime, UTC))
        for of, path in found
        if path.suffix not in _UNFINISHED
    ]


def remove(root: Path | None = None) -> None:
    """Refused while a node of any lab runs on one."""
    found = bases(root)
    used = [base for base in found if base.place.is_dir() and _mounted(base.place)]
    if used:
        raise ToolError(
            f"{used[0].place}: nodes of a lab run on it, so nothing was removed.\n"
            "    fix: end the labs first: `hardway lab down`"
        )
    for base in found:
        shutil.rmtree(base.place) if base.place.is_dir() else base.place.unlink()


def _mounted(folder: Path) -> bool:
    """By any process, in whatever mount namespace it is."""
    for table in Path("/proc").glob("[0-9]*/mountinfo"):
        try:
            if str(folder) in table.read_text(errors="replace"):
                return True
        except OSError:  # the process has ended
            continue
    return False
