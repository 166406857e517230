"""An entry of the atlas: what a row says, under its address."""

from __future__ import annotations

from dataclasses import dataclass

from hardway.model.why import Why


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    address: str
    why: Why
    facts: tuple[tuple[str, str], ...] = ()  # what else the row says: label and text
