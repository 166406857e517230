"""What was found in a file: values, their places, and problems."""

from __future__ import annotations

from typing import Any

from hardway.model.config.nodes import START, Place
from hardway.model.problem import Problem


class Reading:
    def __init__(self, file: str) -> None:
        self.file = file
        self.values: dict[str, Any] = {}
        self.places: dict[str, Place] = {}
        self.problems: list[Problem] = []
        self.broken: set[str] = set()  # paths whose value is missing or wrong
        self.readable = True
        self.empty = False

    def place(self, path: str) -> Place:
        """Where the path stands, or the nearest thing around it."""
        while path and path not in self.places:
            path = path[: max(path.rfind("."), path.rfind("["), 0)]
        return self.places.get(path, START)

    def error(self, rule: str, path: str, message: str, fix: str, at: Place | None = None) -> None:
        self._report(rule, path, message, fix, at, warning=False)
        if path:
            self.broken.add(path)

    def warn(self, rule: str, path: str, message: str, fix: str, at: Place | None = None) -> None:
        self._report(rule, path, message, fix, at, warning=True)

    def is_broken(self, path: str) -> bool:
        """Whether the value at the path, above it or below it could not be read."""
        return any(_within(path, bad) or _within(bad, path) for bad in self.broken)

    def _report(self, rule: str, path: str, message: str, fix: str, at: Place | None, *, warning: bool) -> None:
        place = at or self.place(path)
        self.problems.append(
            Problem(
                file=self.file,
                line=place.line,
                column=place.column,
                path=path,
                message=message,
                fix=fix,
                rule=rule,
                warning=warning,
            )
        )


def _within(path: str, outer: str) -> bool:
    return path == outer or path.startswith((f"{outer}.", f"{outer}["))
