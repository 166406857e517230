"""hardway lab up --dry-run: what it would come to."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hardway.cli.options import counted
from hardway.cli.terminal.text import show
from hardway.drive.milestones.table import TABLE
from hardway.lab.prepared import paths_of
from hardway.lab.prerequisites import examine

if TYPE_CHECKING:
    from hardway.drive.milestones.row import Milestone
    from hardway.model.cluster import Cluster


def planned(place: Path, cluster: Cluster, until: int, ignore: Collection[str]) -> dict[str, Any]:
    paths = paths_of(cluster, place)
    report = examine(paths, cluster, ignore)
    return {
        "lab": paths.name,
        "road": cluster.road,
        "folder": str(paths.folder),
        "interface": paths.link,
        "networks": [str(network) for network in cluster.machine_networks],
        "nodes": [{"name": n.name, "role": n.role, "address": n.address} for n in cluster.nodes],
        "milestones": [row.name for row in _milestones(until)],
        "missing": [f.as_dict() for f in report.findings],
    }


def _milestones(until: int) -> list[Milestone]:
    return [row for row in TABLE if int(row.stage) <= until]


def print_plan(place: Path, cluster: Cluster, until: int, ignore: Collection[str]) -> None:
    plan = planned(place, cluster, until, ignore)
    show(f"lab {plan['lab']}: state in {plan['folder']}, cluster in {place}")
    show(f"road {plan['road']}")
    show(f"network {', '.join(plan['networks'])}, the interface {plan['interface']} on this machine")
    for node in plan["nodes"]:
        show(f"  {node['name']:<14} {node['role']:<10} {node['address']}")
    show(f"{counted(len(plan['milestones']), 'milestone')} up to stage {until:02}:")
    for row in _milestones(until):
        show(f"  {row.stage} {row.name:<20} {row.why.what}")
    for lack in plan["missing"]:
        label = "ignored" if lack["ignored"] else "missing"
        show(f"{label}: {lack['subject']}: {lack['message']} [{lack['check']}]\n    fix: {lack['fix']}")
    show("nothing was changed")
