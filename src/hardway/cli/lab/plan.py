"""What `hardway lab up` and `hardway lab run` would do, and what they add to the user's settings."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hardway.cli.options import counted
from hardway.cli.terminal.text import note, show
from hardway.drive.milestones.table import TABLE
from hardway.lab.cluster_files import new_lines
from hardway.lab.prepared import paths_of
from hardway.lab.prerequisites import examine
from hardway.workspace.names import SETTINGS

if TYPE_CHECKING:
    from hardway.drive.milestones.row import Milestone
    from hardway.model.cluster import Cluster


def added(place: Path, lines: Sequence[str]) -> None:
    if lines:
        note(f"{place / SETTINGS}: added {together(lines)}")


def together(lines: Sequence[str]) -> str:
    return ", ".join(f"`{line}`" for line in lines)


def planned(place: Path, cluster: Cluster, stages: range, ignore: Collection[str]) -> dict[str, Any]:
    paths = paths_of(cluster, place)
    report = examine(paths, cluster, ignore)
    return {
        "lab": paths.name,
        "road": cluster.road,
        "folder": str(paths.folder),
        "interface": paths.link,
        "networks": [str(network) for network in cluster.machine_networks],
        "nodes": [{"name": n.name, "role": n.role, "address": n.address} for n in cluster.nodes],
        "settings": new_lines(place, cluster),
        "milestones": [row.name for row in _milestones(stages)],
        "missing": [f.as_dict() for f in report.findings],
    }


def _milestones(stages: range) -> list[Milestone]:
    return [row for row in TABLE if int(row.stage) in stages]


def print_plan(place: Path, cluster: Cluster, stages: range, ignore: Collection[str]) -> None:
    plan = planned(place, cluster, stages, ignore)
    show(f"lab {plan['lab']}: state in {plan['folder']}, cluster in {place}")
    show(f"road {plan['road']}")
    show(f"network {', '.join(plan['networks'])}, the interface {plan['interface']} on this machine")
    for node in plan["nodes"]:
        show(f"  {node['name']:<14} {node['role']:<10} {node['address']}")
    if plan["settings"]:
        show(f"{place / SETTINGS} gets {together(plan['settings'])}")
    reach = "of" if len(stages) == 1 else "up to"
    show(f"{counted(len(plan['milestones']), 'milestone')} {reach} stage {stages[-1]:02}:")
    for row in _milestones(stages):
        show(f"  {row.stage} {row.name:<20} {row.why.what}")
    for lack in plan["missing"]:
        label = "ignored" if lack["ignored"] else "missing"
        show(f"{label}: {lack['subject']}: {lack['message']} [{lack['check']}]\n    fix: {lack['fix']}")
    show("nothing was changed")
