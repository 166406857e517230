"""Two snapshots held side by side: every file, unit, certificate, document, kubeconfig and user."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hardway.compare.contents import mapping
from hardway.compare.engine import explained
from hardway.compare.installer import placed
from hardway.compare.installer.expected.table import EXPECTED
from hardway.compare.installer.meaning import BOOTKUBE, SCRIPT, logins, meaning, stages
from hardway.compare.installer.snapshot import Snapshot, Unit
from hardway.compare.row import ABSENT, PRESENT, Addresses, Difference, Row, presence
from hardway.compare.values import ABBREVIATED, pairs
from hardway.emit import goyaml
from hardway.model.config.load import Inputs, load
from hardway.model.errors import ConfigError
from hardway.release.catalogue import release_for

CONFIG_TEXT = "data.install-config"
SOUND = "sound"


def differences(reference: Snapshot, ours: Snapshot, expected: Sequence[Row] = EXPECTED) -> list[Difference]:
    return explained(_all(reference, ours), expected, _planned(reference.install_config))


def _planned(install_config: Mapping[str, Any]) -> Addresses:
    """None at all if no cluster can be made of it: then nothing is explained by them."""
    try:
        cluster = load(Inputs(install_config=goyaml.dump(install_config)), release_for).cluster
    except ConfigError:
        return Addresses()
    nodes = cluster.control_plane
    return Addresses(
        api=frozenset(cluster.api_vips), control_plane=frozenset(a for node in nodes for a in node.addresses)
    )


def _all(reference: Snapshot, ours: Snapshot) -> Iterator[Difference]:
    if reference.ignition != ours.ignition:
        yield Difference("ignition", "version", reference.ignition, ours.ignition)
    yield from (Difference("ignition", *pair) for pair in pairs(reference.rest, ours.rest))
    yield from placed.files(reference, ours)
    yield from _units(reference.units, ours.units)
    yield from placed.certificates(reference, ours)
    yield from placed.keys(reference, ours)
    yield from _faults(reference, ours)
    yield from _documents(reference.documents, ours.documents)
    yield from _documents(reference.kubeconfigs, ours.kubeconfigs)
    yield from _texts(reference, ours)
    yield from _flags(reference, ours)
    yield from _stages(reference, ours)
    yield from _users(reference, ours)


def _faults(reference: Snapshot, ours: Snapshot) -> Iterator[Difference]:
    """A defect is a difference, whichever side has it."""
    yield from (Difference(path, aspect, what, SOUND) for path, aspect, what in reference.faults)
    yield from (Difference(path, aspect, SOUND, what) for path, aspect, what in ours.faults)


def _units(theirs: Mapping[str, Unit], ours: Mapping[str, Unit]) -> Iterator[Difference]:
    for name in sorted({*theirs, *ours}):
        if name not in theirs or name not in ours:
            yield Difference(name, "unit", *presence(name, theirs, ours))
        else:
            yield from (Difference(name, *pair) for pair in pairs(*_both_told(theirs[name], ours[name])))


def _both_told(one: Unit, other: Unit) -> tuple[dict[str, Any], dict[str, Any]]:
    """A description leaves out what a unit says; then only the rest is compared."""
    untold = {name for name in ("settings", "overrides") if getattr(one, name) is None or getattr(other, name) is None}
    first, second = ({k: v for k, v in unit.as_dict().items() if k not in untold} for unit in (one, other))
    return first, second


def _documents(reference: Mapping[str, Any], ours: Mapping[str, Any]) -> Iterator[Difference]:
    for path in sorted({*reference} & {*ours}):
        secret = reference[path].get("kind") == "Secret"
        for aspect, theirs, mine in pairs(reference[path], ours[path]):
            if aspect == CONFIG_TEXT and isinstance(mine, str) and not ABBREVIATED.match(str(theirs)):
                yield from _config_text(path, str(theirs), mine)
            else:
                yield Difference(path, aspect, theirs, mine, secret=secret and aspect.startswith("data."))


def _config_text(path: str, theirs: str, ours: str) -> Iterator[Difference]:
    """The install-config inside its ConfigMap: field by field, and as bytes if no field differs."""
    fields = list(pairs(mapping(theirs.encode()), mapping(ours.encode())))
    for aspect, *values in fields:
        yield Difference(path, f"{CONFIG_TEXT}#{aspect}", *values)
    if not fields:
        yield Difference(path, CONFIG_TEXT, theirs, ours)


def _texts(reference: Snapshot, ours: Snapshot) -> Iterator[Difference]:
    """Plain files; and files that are plain on one side alone, where the other has a document or the like."""
    if reference.texts is None or ours.texts is None:
        return
    for path in sorted(({*reference.texts} | {*ours.texts}) & {*reference.files} & {*ours.files}):
        theirs, mine = (texts.get(path, PRESENT) for texts in (reference.texts, ours.texts))
        if meaning(path, theirs) != meaning(path, mine):
            yield Difference(path, "content", theirs, mine, secret=True)


def _flags(reference: Snapshot, ours: Snapshot) -> Iterator[Difference]:
    if reference.flags is None or ours.flags is None or SCRIPT not in reference.files:
        return
    for flag, *values in pairs(reference.flags, ours.flags):
        yield Difference(SCRIPT, f"flag {flag}", *values)


def _stages(reference: Snapshot, ours: Snapshot) -> Iterator[Difference]:
    """What the installer's bootkube.sh does on the machine, and ours does not under that name."""
    theirs, mine = (stages((side.texts or {}).get(BOOTKUBE, "")) for side in (reference, ours))
    yield from (Difference(BOOTKUBE, f"stage {name}", PRESENT, ABSENT) for name in theirs if name not in mine)


def _users(reference: Snapshot, ours: Snapshot) -> Iterator[Difference]:
    if reference.users is None or ours.users is None:
        return
    own = str(reference.install_config.get("sshKey", "")).strip()
    yield from (Difference("passwd", *pair) for pair in pairs(logins(reference.users, own), logins(ours.users, own)))
