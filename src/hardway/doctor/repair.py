"""What can be corrected without a decision of the user's: who may read a file. Nothing is made, replaced or removed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from hardway.io import links
from hardway.model.check import Finding
from hardway.model.errors import ToolError

SAFE = frozenset({"render.modes", "pki.modes", "kubeconfig.modes", "manifest.modes", "own.modes", "ignition.private"})
"""Checks whose findings name a path below assets that others can read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Repaired:
    path: str
    before: int  # its mode
    now: int


def repair(assets: Path, findings: Iterable[Finding]) -> tuple[Repaired, ...]:
    """Each path once. A key that others could read may be known to them: that is said by its check, and not undone."""
    paths = dict.fromkeys(finding.subject for finding in findings if finding.check in SAFE and not finding.ignored)
    return tuple(_restricted(assets, path) for path in paths)


def _restricted(assets: Path, path: str) -> Repaired:
    try:
        before, now = links.restrict(assets / path, below=assets)
    except OSError as error:
        fix = getattr(error, "fix", "run the command as the owner of the folder")
        raise ToolError(f"{assets / path}: {error.strerror}.\n    fix: {fix}") from None
    return Repaired(path=path, before=before, now=now)
