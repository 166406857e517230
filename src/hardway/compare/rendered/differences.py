"""Both sides held against each other: pods, arguments, the configuration file, certificates, manifests, files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hardway.compare.rendered import apiserver_config, files, flags, host, objects, pods
from hardway.compare.rendered.expected.table import EXPECTED
from hardway.compare.rendered.host import Host
from hardway.compare.rendered.reading import Folder, Side
from hardway.compare.rendered.row import Difference, Found, Row
from hardway.compare.values import shown

SECRET = re.compile(r"PRIVATE KEY|LS0tLS1CRUdJTi|://[^/@\s]+:[^/@\s]+@")


def differences(folder: Folder, expected: Sequence[Row] = EXPECTED) -> list[Difference]:
    """Every difference, each with the row that explains it; without one it is unexplained."""
    return [_explained(found, expected) for found in _all(folder)]


def _explained(found: Found, expected: Sequence[Row]) -> Difference:
    row = next((row for row in expected if row.matches(found)), None)
    secret = found.area == "manifests" and found.thing.startswith("Secret ") and found.aspect.startswith("data")
    first, second = (_shown(value, secret=secret) for value in (found.theirs, found.ours))
    return Difference(
        area=found.area,
        operator=found.operator,
        thing=_name(found.thing),
        aspect=_name(found.aspect),
        theirs=first,
        ours=second,
        row=row,
    )


def _name(text: str) -> str:
    """A place is shown whole, whatever its length, unless somebody has put a secret where a name belongs."""
    return f"<{len(text)} characters>" if SECRET.search(text) else text


def _shown(value: Any, *, secret: bool) -> Any:
    if isinstance(value, Mapping):
        return {_name(str(key)): _shown(item, secret=secret) for key, item in value.items()}
    return shown(list(value) if isinstance(value, tuple) else value, secret=secret)


def _all(folder: Folder) -> Iterator[Found]:
    where = host.host(folder)
    yield from host.differences(where)
    for operator, side in folder.rendered.items():
        yield from _one(operator, side, folder, where)
    seen = {where.renamed(thing) for side in folder.rendered.values() for thing in side.objects}
    yield from objects.alone(folder.ours.objects, seen, folder.rendered.keys())


def _one(operator: str, side: Side, folder: Folder, where: Host) -> Iterator[Found]:
    theirs = where.renamed(side.pod) if side.pod else None
    ours = folder.pods.get(operator)
    yield from pods.differences(operator, theirs, ours)
    if theirs and ours:
        yield from flags.differences(operator, pods.containers(theirs), pods.containers(ours), side.config)
    if operator == "kube-apiserver":
        yield from apiserver_config.differences(side.config, folder.ours.config)
    yield from objects.differences(operator, side.objects, folder.ours.objects, where)
    yield from files.leftover(operator, side.rest)
    if operator == host.OPERATOR:
        yield from files.differences(operator, side.files, folder.ours.files, where)
