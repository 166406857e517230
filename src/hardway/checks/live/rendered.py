"""The configuration that the nodes were made from, and the one that the cluster renders: by name, and in what they
differ.

Files may hold secrets, so that a difference is told by the place alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from hardway.checks.files.ignition.file import Ign
from hardway.checks.files.shapes import at, mapping, mappings, text
from hardway.checks.live.given import Given
from hardway.drive.client import Object, Trouble, path
from hardway.ignition.base import API_VERSION, POOLS, Pool
from hardway.ignition.node.table import ANNOTATION, CONTENT, INITIAL_ANNOTATIONS
from hardway.model.check import Flaw
from hardway.model.cluster import Cluster, Node

OPERATOR = "openshift-machine-config-operator/machine-config-operator"  # its Deployment
CONFIGS, CONFIG_POOLS = (f"/apis/{API_VERSION}/{kind}" for kind in ("machineconfigs", "machineconfigpools"))
NODES = "/api/v1/nodes"
SHOWN = 5  # differences in a message


def no_operator(given: Given) -> str:
    brought = given.live.cluster.release.brought.deployments
    return "" if OPERATOR in brought else "the release deploys no machine-config operator"


def nodes_of(cluster: Cluster, pool: Pool) -> tuple[Node, ...]:
    return cluster.masters if pool == "master" else cluster.workers


def file_of(given: Given, node: Node) -> Ign:
    return Ign(f"{node.name}.ign", json.loads(given.live.asset(f"{node.name}.ign")))


def confirmed(given: Given) -> Iterator[Flaw]:
    yield from same(given)
    yield from reported(given)


def same(given: Given) -> Iterator[Flaw]:
    """Each pool's name is the one that its nodes carry."""
    for pool, _, ign, name in _carried(given):
        if given.until(lambda pool=pool, name=name: _missing(given, pool, name)):  # type: ignore[misc]
            yield _difference(given, pool, name, mapping(ign.json(CONTENT), "spec"))


def reported(given: Given) -> Iterator[Flaw]:
    """Each node's machine-config daemon has found on the node what that configuration says."""
    for _, nodes, _, name in _carried(given):
        for node in nodes:
            given.until(lambda node=node, name=name: "".join(f.message for f in _reported(given, node, name)))  # type: ignore[misc]
            yield from _reported(given, node, name)


def _carried(given: Given) -> Iterator[tuple[Pool, tuple[Node, ...], Ign, str]]:
    """Of each pool: its nodes, the file of the first of them, and the name in it."""
    for pool in POOLS:
        if nodes := nodes_of(given.live.cluster, pool):
            ign = file_of(given, nodes[0])
            yield pool, nodes, ign, text(ign.json(INITIAL_ANNOTATIONS), f"{ANNOTATION}currentConfig")


def _missing(given: Given, pool: Pool, name: str) -> str:
    """The first render of a cluster comes before all of its parts are there, so that there may be two."""
    found = _rendered(given, pool)
    return "" if found == name else str(found)


def _rendered(given: Given, pool: Pool) -> str | Trouble:
    found = given.live.api.get(path(CONFIG_POOLS, pool))
    return found if isinstance(found, Trouble) else text(dict(found), "spec", "configuration", "name")


def _difference(given: Given, pool: Pool, name: str, ours: Mapping[str, Any]) -> Flaw:
    subject, found = f"MachineConfigPool {pool}", _rendered(given, pool)
    if isinstance(found, Trouble):
        return Flaw(subject=subject, message=found.message)
    theirs: Object | Trouble = given.live.api.get(path(CONFIGS, found)) if found else {}
    if isinstance(theirs, Trouble) or not found:
        return Flaw(
            subject=subject, message=f"its nodes carry {name}, and the cluster has rendered {found or 'nothing'}"
        )
    places = differences(ours, mapping(dict(theirs), "spec")) or ["nothing that is compared"]
    more = f", and {len(places) - SHOWN} more" if len(places) > SHOWN else ""
    message = (
        f"its nodes carry {name}, and the cluster renders {found}: they differ in {', '.join(places[:SHOWN])}{more}"
    )
    return Flaw(subject=subject, message=message)


def differences(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> list[str]:
    """Of two specs of rendered configs: files and units by name, other fields by theirs."""
    found = [
        f"the field {key}" for key in sorted(ours.keys() | theirs.keys()) if key != "config" and _at(ours, theirs, key)
    ]
    for what, section, key in (("file", ("storage", "files"), "path"), ("unit", ("systemd", "units"), "name")):
        sides = [{text(e, key): e for e in mappings(spec, "config", *section)} for spec in (ours, theirs)]
        names = sorted(sides[0].keys() | sides[1].keys())
        found += [f"the {what} {name}" for name in names if sides[0].get(name) != sides[1].get(name)]
    if at(ours, "config", "passwd") != at(theirs, "config", "passwd"):
        found.append("the users")
    return found


def _at(ours: Mapping[str, Any], theirs: Mapping[str, Any], key: str) -> bool:
    """Whether a field differs; an empty one is as good as none."""
    return (ours.get(key) or None) != (theirs.get(key) or None)


def _reported(given: Given, node: Node, name: str) -> Iterator[Flaw]:
    found = given.live.api.get(path(NODES, node.name))
    if isinstance(found, Trouble):
        yield Flaw(subject=node.name, message=found.message)
        return
    said = mapping(dict(found), "metadata", "annotations")
    current, state = (text(said, f"{ANNOTATION}{key}") for key in ("currentConfig", "state"))
    if (current, state) != (name, "Done"):
        reason = text(said, f"{ANNOTATION}reason")
        message = f"its machine-config daemon reports {current or 'nothing'} ({state or 'no state'}), not {name} (Done)"
        yield Flaw(subject=node.name, message=f"{message}{f': {reason}' if reason else ''}")
