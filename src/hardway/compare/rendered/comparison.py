"""Compares what operators rendered into a cluster's folder with what is beside it from our own tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from hardway.compare.engine import explained
from hardway.compare.rendered import apiserver_config, files, flags, host, objects, pods, policy_config
from hardway.compare.rendered.expected.table import EXPECTED
from hardway.compare.rendered.host import Host
from hardway.compare.rendered.reading import Folder, Side, read
from hardway.compare.report import Missing, Report, Wording
from hardway.compare.row import Difference

WORDING = Wording(
    source="folder",
    fields=("area", "operator", "thing", "aspect", "theirs", "ours", "row", "kind", "why", "without", "source"),
    theirs="the operator ({operator}): ",
    ours="by hand: ",
    width=110,
)


def compare(folder: Path) -> Report:
    """Read both sides from a cluster's folder, and hold them side by side. Nothing is written."""
    found = read(folder)
    compared = _counts(found)
    return Report(
        wording=WORDING,
        source=str(folder),
        head=(
            f"{folder}: what operators rendered, beside what is written by hand.",
            *(f"  {name}: {counted(counts)}" for name, counts in compared.items()),
        ),
        compared=compared,
        differences=tuple(explained(_all(found), EXPECTED)),
        missing=tuple(Missing(name=o.name, what=o.what, fix=f"`hardway render {o.name}`") for o in found.missing),
    )


def counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{n} {noun}{'' if n == 1 else 's'}" for noun, n in counts.items() if n)


def _counts(folder: Folder) -> dict[str, dict[str, int]]:
    """How much of each an operator rendered."""
    return {
        name: {"pod": int(side.pod is not None), "object": len(side.objects), "file": len(side.files)}
        for name, side in folder.rendered.items()
    }


def _all(folder: Folder) -> Iterator[Difference]:
    where = host.host(folder)
    yield from host.differences(where)
    for operator, side in folder.rendered.items():
        yield from (replace(found, operator=operator) for found in _one(operator, side, folder, where))
    seen = {where.renamed(thing) for side in folder.rendered.values() for thing in side.objects}
    yield from objects.alone(folder.ours.objects, seen, folder.rendered.keys())


def _one(operator: str, side: Side, folder: Folder, where: Host) -> Iterator[Difference]:
    theirs = where.renamed(side.pod) if side.pod else None
    ours = folder.pods.get(operator)
    yield from pods.differences(operator, theirs, ours)
    if theirs and ours:
        yield from flags.differences(pods.containers(theirs), pods.containers(ours), side.config, folder.ours.config)
    if operator == "kube-apiserver":
        yield from apiserver_config.differences(side.config, folder.ours.config, folder.ours.audit)
    yield from policy_config.differences(side.policy, folder.ours.policy)
    yield from objects.differences(side.objects, folder.ours.objects, where)
    yield from files.leftover(side.rest)
    if operator == host.OPERATOR:
        yield from files.differences(side.files, folder.ours.files, where)
