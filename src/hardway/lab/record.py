"""Which milestones a lab's cluster has reached once, in the lab's folder.

The record is for machines that are off and cannot be asked. Where the cluster answers, its answer counts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from hardway.drive.milestones.table import TABLE
from hardway.io import atomic
from hardway.lab.paths import LabPaths

FILE = "milestones.json"
LAST = TABLE[-1].name


def reached(paths: LabPaths) -> frozenset[str]:
    """Nothing, if none was reached or the record is gone."""
    try:
        found = json.loads((paths.folder / FILE).read_text())
    except (FileNotFoundError, ValueError):
        return frozenset()
    return frozenset(row.name for row in TABLE if isinstance(found, list) and row.name in found)


def add(paths: LabPaths, names: Iterable[str]) -> None:
    before = reached(paths)
    now = before | frozenset(names)
    if now != before:
        rows = [row.name for row in TABLE if row.name in now]
        atomic.write(paths.folder / FILE, f"{json.dumps(rows, indent=2)}\n".encode(), atomic.PUBLIC)
