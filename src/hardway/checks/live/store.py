"""The store, asked member by member."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from hardway.checks.live.given import Given
from hardway.drive.client import Trouble, path
from hardway.drive.etcd import Member, Status
from hardway.model.check import Flaw
from hardway.staticpods.masters import member_name

MAPS = "/api/v1/configmaps"
NAME, SPACE = "hardway-verification", "default"
KEY = f"/kubernetes.io/configmaps/{SPACE}/{NAME}"


def members(given: Given) -> Iterator[Flaw]:
    planned = {member_name(n): n.name for n in given.live.cluster.masters}
    found = _listed(given)
    if isinstance(found, Trouble):
        yield Flaw(subject="etcd", message=found.message)
        return
    for member in found:
        if member.name not in planned:
            yield Flaw(subject=f"etcd {member.name or member.peers[0]}", message="is not in the plan")
        if member.learner:
            yield Flaw(subject=f"etcd {member.name}", message="has no vote yet")
    for name in sorted(planned.keys() - {m.name for m in found}):
        yield Flaw(subject=f"etcd {name}", message="is not in the member list")
    statuses = {name: given.live.members[name].status() for name in planned.values()}
    yield from _well(statuses)


def _listed(given: Given) -> tuple[Member, ...] | Trouble:
    return given.live.members[given.live.cluster.masters[0].name].members()


def _well(statuses: dict[str, Status | Trouble]) -> Iterator[Flaw]:
    leaders = set()
    for name, status in statuses.items():
        if isinstance(status, Trouble):
            yield Flaw(subject=f"etcd {name}", message=status.message)
        elif not status.healthy:
            yield Flaw(subject=f"etcd {name}", message="; ".join(status.errors) or "knows no leader")
        else:
            leaders.add(status.leader)
    if len(leaders) > 1:
        yield Flaw(subject="etcd", message="its members follow different leaders")


def written(given: Given) -> Iterator[Flaw]:
    """A number that nobody can have written before, in the object and in each member's own copy of it."""
    value = given.now.isoformat()
    where = path(MAPS, NAME, namespace=SPACE)
    given.live.api.delete(where)
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": NAME}, "data": {"at": value}}
    made = given.live.api.create(path(MAPS, namespace=SPACE), body)
    if isinstance(made, Trouble):
        yield Flaw(subject="the API", message=made.message)
        return
    for node in given.live.cluster.masters:
        if missing := given.until(partial(_missing, given, node.name, value.encode())):
            yield Flaw(subject=f"etcd {node.name}", message=missing)
    given.live.api.delete(where)


def _missing(given: Given, name: str, value: bytes) -> str:
    found = given.live.members[name].own(KEY)
    if isinstance(found, Trouble):
        return found.message
    return "" if value in found else f"{KEY} is not what was written"
