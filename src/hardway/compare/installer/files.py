"""Every file of either side: there or not, where, of which mode and owner, and what else its entry says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hardway.compare.places import PLACES, SECRETS, TLS, places_of
from hardway.compare.row import ABSENT, PRESENT
from hardway.compare.snapshot import File, Snapshot
from hardway.compare.values import fields, pairs

AUTH = "/opt/openshift/auth/"
BIN = "/usr/local/bin/"


def files(reference: Snapshot, ours: Snapshot) -> Iterator[tuple[str, str, Any, Any]]:
    taken = {place for path in reference.files for place in places_of(path)}
    alone = {path for path in {*ours.files} - {*reference.files} if path not in taken}
    for path in sorted({*reference.files} | alone | _missing(reference, ours)):
        if path in reference.files:
            yield from _one(path, reference, ours)
        else:
            yield path, "file", ABSENT, PRESENT


def _missing(reference: Snapshot, ours: Snapshot) -> set[str]:
    """What the installer has in a file and ours inside another, if the reference is in the installer's order at all."""
    if any(path.startswith(SECRETS) for path in reference.files):
        return set()
    return {path for path in PLACES if path not in reference.files and _place(path, ours)}


def _one(path: str, reference: Snapshot, ours: Snapshot) -> Iterator[tuple[str, str, Any, Any]]:
    place = _place(path, ours)
    if place is None:
        yield path, "file", PRESENT, ABSENT
        for aspect, theirs, usual in pairs(reference.files[path].as_dict(), _usual(path)):
            yield path, aspect, theirs, usual
        return
    if place != path:
        yield path, "place", path, place
    mine = ours.files[place.partition("#")[0]].as_dict()
    for aspect, theirs, other in pairs(reference.files[path].as_dict(), mine):
        yield path, aspect, theirs, other


def _usual(path: str) -> dict[str, Any]:
    """What goes for every file of the kind: one that is not here is no less open for being left out."""
    mode = 0o555 if path.startswith(BIN) else 0o600 if path.startswith((TLS, AUTH)) else 0o644
    return File(mode=mode, owner="root", append=False, overwrite=True).as_dict()


def _place(path: str, ours: Snapshot) -> str | None:
    return next((place for place in places_of(path) if _is_there(place, ours)), None)


def _is_there(place: str, ours: Snapshot) -> bool:
    """Whether a file is there, and in it the field that is asked for."""
    file, _, field = place.partition("#")
    body = ours.documents.get(file) or ours.kubeconfigs.get(file) or {}
    return file in ours.files and (not field or field in {path for path, _ in fields(body)})
