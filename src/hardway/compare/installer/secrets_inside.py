"""Certificates and keys, each with ours at the same place or where ours is instead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hardway.compare.certificates import alike
from hardway.compare.places import places_of
from hardway.compare.row import ABSENT, PRESENT
from hardway.compare.snapshot import Certificate, Snapshot
from hardway.compare.values import pairs


def certificates(reference: Snapshot, ours: Snapshot) -> Iterator[tuple[str, str, Any, Any]]:
    for path, theirs in sorted(reference.certificates.items()):
        mine = _at(path, ours.certificates)
        file, lead = _lead(path)
        if mine is None and any(place in ours.files for place in places_of(path)):
            yield file, f"{lead}certificate", PRESENT, ABSENT
        if mine is None or not theirs:
            continue  # that the file is missing, or is none, is said elsewhere
        for aspect, first, second in pairs(*_sides(theirs, mine)):
            yield file, f"{lead}certificate{aspect}", first, second


def keys(reference: Snapshot, ours: Snapshot) -> Iterator[tuple[str, str, Any, Any]]:
    for path, theirs in sorted((reference.keys or {}).items()):
        mine = _at(path, ours.keys or {})
        if mine not in (None, theirs):
            file, lead = _lead(path)
            yield file, f"{lead}key.kind", theirs, mine


def _at(path: str, found: Mapping[str, Any]) -> Any:
    return next((found[place] for place in places_of(path) if place in found), None)


def _lead(path: str) -> tuple[str, str]:
    file, _, field = path.partition("#")
    return file, f"{field}: " if field else ""


def _sides(theirs: Sequence[Certificate], ours: Sequence[Certificate]) -> tuple[list[Certificate], list[Certificate]]:
    if len(theirs) != len(ours):
        return list(theirs), list(ours)
    both = [alike(one, other) for one, other in zip(theirs, ours, strict=True)]
    return [_sorted(one) for one, _ in both], [_sorted(other) for _, other in both]


def _sorted(one: Certificate) -> Certificate:
    """Names and usages have no order, and are told whole: which one of them differs says little."""
    return {key: tuple(sorted(value)) if isinstance(value, list) else value for key, value in one.items()}
