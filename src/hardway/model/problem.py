"""One thing that is wrong (or doubtful) in the user's input."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Its place, what it is, and its fix."""

    file: str
    line: int
    column: int
    path: str
    message: str
    fix: str
    rule: str
    warning: bool = False

    def __str__(self) -> str:
        kind = "warning" if self.warning else "error"
        where = f"{self.file}:{self.line}:{self.column}"
        subject = f"{self.path}: " if self.path else ""
        return f"{where}: {kind}: {subject}{self.message}\n    fix: {self.fix}"
