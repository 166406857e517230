"""The store, asked member by member."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from hardway.checks.live.given import Given, Problem
from hardway.drive.client import Trouble, path
from hardway.drive.etcd import Member, Status
from hardway.staticpods.masters import member_name

MAPS = "/api/v1/configmaps"
NAME, SPACE = "hardway-verification", "default"
KEY = f"/kubernetes.io/configmaps/{SPACE}/{NAME}"


def members(given: Given) -> Iterator[Problem]:
    planned = {member_name(n): n.name for n in given.world.cluster.masters}
    found = _listed(given)
    if isinstance(found, Trouble):
        yield "etcd", found.message
        return
    yield from ((f"etcd {m.name or m.peers[0]}", "is not of the plan") for m in found if m.name not in planned)
    yield from ((f"etcd {m.name}", "has no vote yet") for m in found if m.learner)
    missing = planned.keys() - {m.name for m in found}
    yield from ((f"etcd {name}", "is not on the list of members") for name in sorted(missing))
    statuses = {name: given.world.members[name].status() for name in planned.values()}
    yield from _well(statuses)


def _listed(given: Given) -> tuple[Member, ...] | Trouble:
    return given.world.members[given.world.cluster.masters[0].name].members()


def _well(statuses: dict[str, Status | Trouble]) -> Iterator[Problem]:
    leaders = set()
    for name, status in statuses.items():
        if isinstance(status, Trouble):
            yield f"etcd {name}", status.message
        elif not status.healthy:
            yield f"etcd {name}", "; ".join(status.errors) or "knows no leader"
        else:
            leaders.add(status.leader)
    if len(leaders) > 1:
        yield "etcd", "its members follow different leaders"


def written(given: Given) -> Iterator[Problem]:
    """A number that nobody can have written before, in the object and in each member's own copy of it."""
    value = given.now.isoformat()
    where = path(MAPS, NAME, namespace=SPACE)
    given.world.api.delete(where)
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": NAME}, "data": {"at": value}}
    made = given.world.api.create(path(MAPS, namespace=SPACE), body)
    if isinstance(made, Trouble):
        yield "the API", made.message
        return
    for node in given.world.cluster.masters:
        if missing := given.until(partial(_missing, given, node.name, value.encode())):
            yield f"etcd {node.name}", missing
    given.world.api.delete(where)


def _missing(given: Given, name: str, value: bytes) -> str:
    found = given.world.members[name].own(KEY)
    if isinstance(found, Trouble):
        return found.message
    return "" if value in found else f"{KEY} is not what was written"
