"""A cause and its effects. Either is a failure mode (F30) or a check (pki.chain).

A finding of a check in files, on this machine or in the network is a defect: it has to be corrected whatever else is
wrong, so only a row that names that very check explains it. A finding in a log or on a running cluster is a symptom,
and a row that names its failure mode explains it.
"""

from __future__ import annotations

from dataclasses import dataclass

from hardway.model.why import Why, because


@dataclass(frozen=True, slots=True, kw_only=True)
class Leads:
    cause: str
    effect: str
    why: Why  # `what` is why the cause has this effect


def leads(cause: str, effects: str, why: str, source: str) -> tuple[Leads, ...]:
    """One row for each effect."""
    reason = because(why, source=source)
    return tuple(Leads(cause=cause, effect=effect, why=reason) for effect in effects.split())
