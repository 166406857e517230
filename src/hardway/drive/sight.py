"""What a turn of the loop has seen, as rows for people: kept in the folder of the record, so that a page can show it.

It has names, addresses and states. No certificate request's content and no key is in it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from hardway.drive.csr.kinds import KINDS
from hardway.drive.csr.parse import Request
from hardway.drive.csr.rules import NODE_USER
from hardway.drive.growth import View
from hardway.drive.observation import Observation
from hardway.io import atomic, links
from hardway.model import json as bounded
from hardway.model.cluster import Cluster

FILE = "seen.json"
LARGEST = 16 << 20  # bytes: five hundred nodes have a tenth of that
UNREPORTED = "manifest present"
NOBODY = "nobody"
USES = {kind.signer: kind.what for kind in KINDS}


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    name: str
    place: str = ""  # the node
    state: str


Rows = tuple[Seen, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    nodes: Rows = ()
    members: Rows = ()  # of etcd
    pods: Rows = ()  # static pods of the control plane
    leases: Rows = ()  # who leads
    requests: Rows = ()  # for certificates
    backends: Rows = ()  # API servers, as the load balancer has them


def sight(seen: Observation, cluster: Cluster) -> Sight:
    backends = (Seen(name=name, state=state) for name, state in seen.balanced.items())
    return Sight(
        nodes=tuple(_nodes(seen, cluster)),
        members=tuple(members(seen.etcd)),
        pods=tuple(_pods(seen)),
        leases=tuple(_lease(name, holder) for name, holder in sorted(seen.leases.items())),
        requests=tuple(sorted(map(_request, seen.requests), key=lambda row: (row.place, row.state, row.name))),
        backends=tuple(backends),
    )


def _nodes(seen: Observation, cluster: Cluster) -> Iterator[Seen]:
    for node in cluster.nodes:
        joined = seen.nodes.get(node.name)
        power = "on" if node.name in seen.running else "off"
        ready = "" if joined is None else ", Ready" if joined.ready else f", not Ready: {joined.reason}"
        yield Seen(name=node.name, place=node.address, state=f"{power}{ready}")


def members(view: View | None) -> Iterator[Seen]:
    leader = view.leader.id if view and view.leader else 0
    for member in view.members if view else ():
        if not member.started:
            now = "not started"
        elif member.learner:
            now = "learner"
        elif not view or not view.healthy(member):
            now = "unwell"
        else:
            now = "leader" if member.id == leader else "voter"
        yield Seen(name=member.name or member.peers[0], state=now)


def _pods(seen: Observation) -> Iterator[Seen]:
    """By the manifests on each node; the kubelet of the bootstrap node reports none of its pods to the API."""
    for node, files in sorted(seen.manifests.items()):
        for file in sorted(files):
            program = file.removesuffix(".yaml").removesuffix("-pod")
            yield Seen(name=program, place=node, state=_pod(seen, f"{program}-{node}"))


def _pod(seen: Observation, name: str) -> str:
    found = next((pod for place, pod in seen.pods.items() if place.endswith(f"/{name}")), None)
    if found is None:
        return UNREPORTED
    return "Ready" if found.ready else f"not Ready: {found.reason}"


def _lease(name: str, holder: str) -> Seen:
    """Programs add something random to the name of their node."""
    return Seen(name=name, state=holder.partition("_")[0] or NOBODY)


def _request(row: Request) -> Seen:
    names = row.asked.common_names if row.asked else ()
    node = names[0].removeprefix(NODE_USER) if names else ""
    state = "signed" if row.issued else row.state
    return Seen(name=row.name, place=node, state=f"{USES.get(row.signer, row.signer)}: {state}")


def keeping(folder: Path, cluster: Cluster) -> Callable[[Observation], None]:
    """For the loop: what has changed since the turn before is kept."""
    last = [Sight()]

    def look(seen: Observation) -> None:
        now = sight(seen, cluster)
        if now != last[0]:
            last[0] = now
            atomic.write(folder / FILE, f"{json.dumps(asdict(now))}\n".encode(), atomic.PUBLIC)

    return look


def read(folder: Path) -> Sight | None:
    """What was seen last; None, if nobody has looked, or if the file is damaged."""
    try:
        found = bounded.load(links.read(folder / FILE, below=folder, largest=LARGEST))
        return Sight(**{part.name: tuple(row(one) for one in found[part.name]) for part in fields(Sight)})
    except (FileNotFoundError, ValueError, TypeError, KeyError):
        return None


def row(found: dict[str, str]) -> Seen:
    """As it was kept. ValueError or TypeError, if it was changed meanwhile."""
    seen = Seen(**found)
    "".join((seen.name, seen.place, seen.state)).encode()  # they must be texts, and such that can be written
    return seen
