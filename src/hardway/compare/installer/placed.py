"""Files, certificates and keys: each with ours at the same place, or where ours is instead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hardway.compare.certificates import Certificate, alike
from hardway.compare.installer.snapshot import File, Snapshot
from hardway.compare.places import PLACES, SECRETS, TLS, places_of
from hardway.compare.row import ABSENT, PRESENT, Difference
from hardway.compare.values import fields, pairs

AUTH = "/opt/openshift/auth/"
BIN = "/usr/local/bin/"


def files(reference: Snapshot, ours: Snapshot) -> Iterator[Difference]:
    """Every file of either side: there or not, where, of which mode and owner, and what else its entry says."""
    taken = {place for path in reference.files for place in places_of(path)}
    alone = {path for path in {*ours.files} - {*reference.files} if path not in taken}
    for path in sorted({*reference.files} | alone | _missing(reference, ours)):
        if path in reference.files:
            yield from _file(path, reference, ours)
        else:
            yield Difference(path, "file", ABSENT, PRESENT)


def _missing(reference: Snapshot, ours: Snapshot) -> set[str]:
    """What the installer has in a file and ours inside another, if the reference is in the installer's order at all."""
    if any(path.startswith(SECRETS) for path in reference.files):
        return set()
    return {path for path in PLACES if path not in reference.files and _place(path, ours)}


def _file(path: str, reference: Snapshot, ours: Snapshot) -> Iterator[Difference]:
    place = _place(path, ours)
    if place is None:
        yield Difference(path, "file", PRESENT, ABSENT)
        mine = _usual(path)
    else:
        if place != path:
            yield Difference(path, "place", path, place)
        mine = ours.files[place.partition("#")[0]]
    yield from (Difference(path, *pair) for pair in pairs(reference.files[path].as_dict(), mine.as_dict()))


def _usual(path: str) -> File:
    """What goes for every file of the kind: one that is not here is no less open for being left out."""
    mode = 0o555 if path.startswith(BIN) else 0o600 if path.startswith((TLS, AUTH)) else 0o644
    return File(mode=mode, owner="root", append=False, overwrite=True)


def _place(path: str, ours: Snapshot) -> str | None:
    return next((place for place in places_of(path) if _is_there(place, ours)), None)


def _is_there(place: str, ours: Snapshot) -> bool:
    """Whether a file is there, and in it the field that is asked for."""
    file, _, field = place.partition("#")
    body = ours.documents.get(file) or ours.kubeconfigs.get(file) or {}
    return file in ours.files and (not field or field in {path for path, _ in fields(body)})


def certificates(reference: Snapshot, ours: Snapshot) -> Iterator[Difference]:
    for path, theirs in sorted(reference.certificates.items()):
        mine = _at(path, ours.certificates)
        file, lead = _lead(path)
        if mine is None and any(place in ours.files for place in places_of(path)):
            yield Difference(file, f"{lead}certificate", PRESENT, ABSENT)
        if mine is None or not theirs:
            continue  # that the file is missing, or is none, is said elsewhere
        for aspect, *values in pairs(*_sides(theirs, mine)):
            yield Difference(file, f"{lead}certificate{aspect}", *values)


def keys(reference: Snapshot, ours: Snapshot) -> Iterator[Difference]:
    for path, theirs in sorted((reference.keys or {}).items()):
        mine = _at(path, ours.keys or {})
        if mine not in (None, theirs):
            file, lead = _lead(path)
            yield Difference(file, f"{lead}key.kind", theirs, mine)


def _at(path: str, found: Mapping[str, Any]) -> Any:
    return next((found[place] for place in places_of(path) if place in found), None)


def _lead(path: str) -> tuple[str, str]:
    file, _, field = path.partition("#")
    return file, f"{field}: " if field else ""


def _sides(theirs: Sequence[Certificate], ours: Sequence[Certificate]) -> tuple[list[Certificate], list[Certificate]]:
    if len(theirs) != len(ours):
        return [*theirs], [*ours]
    both = [alike(one, other) for one, other in zip(theirs, ours, strict=True)]
    return [one for one, _ in both], [other for _, other in both]
