"""One thing that is wrong (or doubtful) in the user's input."""

from __future__ import annotations

from dataclasses import dataclass

from hardway.io.harmless import one_line

LISTED = "own."
"""Rules whose name is printed: the guide has a table of them, and `hardway explain` knows each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Its place, what it is, and its fix."""

    file: str  # empty: the command line, and the path is an option of it
    line: int
    column: int
    path: str
    message: str
    fix: str
    rule: str
    warning: bool = False

    @property
    def place(self) -> str:
        return f"{one_line(self.file)}:{self.line}:{self.column}" if self.file else self.path

    @property
    def text(self) -> str:
        """With what it is about, where that is not the place itself."""
        return f"{one_line(self.path)}: {self.message}" if self.path and self.file else self.message

    def __str__(self) -> str:
        kind = "warning: " if self.warning else "error: " if self.file else ""
        rule = f" [{self.rule}]" if self.rule.startswith(LISTED) else ""
        return f"{self.place}: {kind}{self.text}{rule}\n    fix: {self.fix}"
