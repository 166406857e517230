"""An entry of the atlas: what a row says, under its address; and an explanation of it."""

from __future__ import annotations

from dataclasses import dataclass

from hardway.model.why import Why


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    address: str
    why: Why
    facts: tuple[tuple[str, str], ...] = ()  # what else the row says: label and text


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """An entry with its place in the folder and in the graph."""

    address: str
    why: Why
    facts: tuple[tuple[str, str], ...] = ()
    path: str = ""  # below the assets folder
    family: str = ""  # of a certificate: which of the six it belongs to, and what that one is
    needs: tuple[str, ...] = ()
    used_by: tuple[str, ...] = ()
    decided: tuple[str, ...] | None = None  # the lines of the user's files that decide it; None: nobody has looked
