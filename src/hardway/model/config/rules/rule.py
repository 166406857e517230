"""A rule: what it reads, and a function that finds what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from hardway.model.config.draft import Draft


class Flaw(NamedTuple):
    """What a rule found, before it is given its place in the file."""

    path: str
    message: str
    fix: str
    warning: bool = False


class Rule(NamedTuple):
    """`reads` names the paths that must have been readable for the check to make sense."""

    id: str
    reads: tuple[str, ...]
    check: Callable[[Draft], Iterable[Flaw]]


def error(path: str, message: str, fix: str) -> Flaw:
    """It cannot work, or the installer refuses it."""
    return Flaw(path, message, fix)


def warn(path: str, message: str, fix: str) -> Flaw:
    """The installer takes it, and it is known to end badly or not to mean what it says."""
    return Flaw(path, message, fix, warning=True)
