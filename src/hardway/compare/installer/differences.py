"""Two snapshots held side by side: every file, unit, certificate, document, kubeconfig and user."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hardway.compare.contents import mapping
from hardway.compare.installer.addresses import addresses
from hardway.compare.installer.expected.table import EXPECTED
from hardway.compare.installer.files import files
from hardway.compare.installer.secrets_inside import certificates, keys
from hardway.compare.installer.texts import meaning
from hardway.compare.installer.users import logins
from hardway.compare.pull_secret import ABBREVIATED
from hardway.compare.row import ABSENT, PRESENT, Difference, Row
from hardway.compare.scripts import BOOTKUBE, SCRIPT, stages
from hardway.compare.snapshot import Snapshot, Unit
from hardway.compare.values import pairs, shown

CONFIG_TEXT = "data.install-config"
SOUND = "sound"
Found = tuple[str, str, Any, Any]  # path, aspect, theirs, ours


def differences(reference: Snapshot, ours: Snapshot, expected: Sequence[Row] = EXPECTED) -> list[Difference]:
    """Every difference, each with the row that explains it; without one it is unexplained."""
    known = addresses(reference.install_config)
    found = []
    for path, aspect, theirs, mine in _all(reference, ours):
        row = next((r for r in expected if r.matches(path, aspect, theirs, mine, known)), None)
        secret = _is_secret(reference, path, aspect)
        first, second = (shown(value, secret=secret) for value in (theirs, mine))
        found.append(Difference(path=path, aspect=aspect, theirs=first, ours=second, row=row))
    return found


def _is_secret(reference: Snapshot, path: str, aspect: str) -> bool:
    inside = reference.documents.get(path, {}).get("kind") == "Secret" and aspect.startswith("data.")
    return aspect == "content" or (inside and ":" not in aspect)


def _all(reference: Snapshot, ours: Snapshot) -> Iterator[Found]:
    if reference.ignition != ours.ignition:
        yield "ignition", "version", reference.ignition, ours.ignition
    yield from (("ignition", *pair) for pair in pairs(reference.rest, ours.rest))
    yield from files(reference, ours)
    yield from _units(reference, ours)
    yield from certificates(reference, ours)
    yield from keys(reference, ours)
    yield from _faults(reference, ours)
    yield from _documents(reference.documents, ours.documents)
    yield from _documents(reference.kubeconfigs, ours.kubeconfigs)
    yield from _texts(reference, ours)
    yield from _flags(reference, ours)
    yield from _stages(reference, ours)
    yield from _users(reference, ours)


def _faults(reference: Snapshot, ours: Snapshot) -> Iterator[Found]:
    """A defect is a difference, whichever side has it."""
    for path, aspect, what in reference.faults:
        yield path, aspect, what, SOUND
    for path, aspect, what in ours.faults:
        yield path, aspect, SOUND, what


def _units(reference: Snapshot, ours: Snapshot) -> Iterator[Found]:
    for name in sorted({*reference.units, *ours.units}):
        if name not in reference.units or name not in ours.units:
            theirs, mine = (PRESENT if name in s.units else ABSENT for s in (reference, ours))
            yield name, "unit", theirs, mine
            continue
        for aspect, theirs, mine in pairs(*_both_told(reference.units[name], ours.units[name])):
            yield name, aspect, theirs, mine


def _both_told(one: Unit, other: Unit) -> tuple[dict[str, Any], dict[str, Any]]:
    """A description leaves out what a unit says; then only the rest is compared."""
    untold = {name for name in ("settings", "overrides") if getattr(one, name) is None or getattr(other, name) is None}
    first, second = ({k: v for k, v in unit.as_dict().items() if k not in untold} for unit in (one, other))
    return first, second


def _documents(reference: Mapping[str, Any], ours: Mapping[str, Any]) -> Iterator[Found]:
    for path in sorted({*reference} & {*ours}):
        for aspect, theirs, mine in pairs(reference[path], ours[path]):
            if aspect == CONFIG_TEXT and isinstance(mine, str) and not ABBREVIATED.match(str(theirs)):
                yield from _config_text(path, str(theirs), mine)
            else:
                yield path, aspect, theirs, mine


def _config_text(path: str, theirs: str, ours: str) -> Iterator[Found]:
    """The install-config inside its ConfigMap: field by field, and as bytes if no field differs."""
    fields = list(pairs(mapping(theirs.encode()), mapping(ours.encode())))
    for aspect, first, second in fields:
        yield path, f"{CONFIG_TEXT}#{aspect}", first, second
    if not fields:
        yield path, CONFIG_TEXT, theirs, ours


def _texts(reference: Snapshot, ours: Snapshot) -> Iterator[Found]:
    """Plain files; and files that are plain on one side alone, where the other has a document or the like."""
    if reference.texts is None or ours.texts is None:
        return
    for path in sorted(({*reference.texts} | {*ours.texts}) & {*reference.files} & {*ours.files}):
        theirs, mine = (side.texts.get(path, PRESENT) for side in (reference, ours) if side.texts is not None)
        if meaning(path, theirs) != meaning(path, mine):
            yield path, "content", theirs, mine


def _flags(reference: Snapshot, ours: Snapshot) -> Iterator[Found]:
    if reference.flags is None or ours.flags is None or SCRIPT not in reference.files:
        return
    for flag, theirs, mine in pairs(reference.flags, ours.flags):
        yield SCRIPT, f"flag {flag}", theirs, mine


def _stages(reference: Snapshot, ours: Snapshot) -> Iterator[Found]:
    """What the installer's bootkube.sh does on the machine, and ours does not under that name."""
    theirs, mine = (stages((side.texts or {}).get(BOOTKUBE, "")) for side in (reference, ours))
    for name in theirs:
        if name not in mine:
            yield BOOTKUBE, f"stage {name}", PRESENT, ABSENT


def _users(reference: Snapshot, ours: Snapshot) -> Iterator[Found]:
    if reference.users is None or ours.users is None:
        return
    own = str(reference.install_config.get("sshKey", "")).strip()
    for aspect, theirs, mine in pairs(logins(reference.users, own), logins(ours.users, own)):
        yield "passwd", aspect, theirs, mine
