"""For each milestone: what is still missing in an observation; nothing, if it is reached. Pure.

What only the bootstrap node shows counts as reached once the cluster itself says that the bootstrap is complete.
"""

from __future__ import annotations

from collections.abc import Iterable

from hardway.drive.csr.kinds import KINDS
from hardway.drive.csr.rules import NODE_USER
from hardway.drive.growth import decide as grow
from hardway.drive.joining import remedy
from hardway.drive.observation import MASTER_ROLE, WORKER_ROLE, Observation
from hardway.model.cluster import Cluster, Node
from hardway.staticpods import kube_proxy, masters
from hardway.staticpods.apiserver import pod as apiserver
from hardway.staticpods.etcd.flags import BOOTSTRAP_MEMBER

SERVING = next(kind.signer for kind in KINDS if kind.what == "serving")


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)


def bootstrap_etcd(o: Observation, cluster: Cluster) -> str:
    well = o.complete or cluster.bootstrap.name in o.etcd_well or bool(o.etcd and len(o.etcd.members) > 1)
    if well or (o.etcd and _holders(o, cluster)):
        return ""
    return f"etcd on {_listed(_holders(o, cluster)) or cluster.bootstrap.name}: {o.etcd_trouble or 'no answer'}"


def _holders(o: Observation, cluster: Cluster) -> list[str]:
    """The masters that have data of the store: it has grown beyond the bootstrap node, which may be gone."""
    return [n.name for n in cluster.masters if n.name in o.stored]


def bootstrap_api(o: Observation, cluster: Cluster) -> str:
    if not o.complete and not o.serving:
        return f"the API server on {_listed(_holders(o, cluster)) or cluster.bootstrap.name} to be ready"
    return f"the API through the load balancer: {o.api}" if o.api else ""


def manifests(o: Observation, cluster: Cluster) -> str:
    return "" if o.applied or o.complete else "bootkube.sh to create every manifest"


def version_syncs(o: Observation, cluster: Cluster) -> str:
    return "" if o.version.syncing or o.complete else "CVO to begin"


def masters_ready(o: Observation, cluster: Cluster) -> str:
    return _nodes(o, cluster.masters, MASTER_ROLE)


def workers_ready(o: Observation, cluster: Cluster) -> str:
    return _nodes(o, cluster.workers, WORKER_ROLE)


def _nodes(o: Observation, nodes: Iterable[Node], role: str) -> str:
    return "; ".join(flaw for node in nodes if (flaw := _node(o, node, role)))


def _node(o: Observation, node: Node, role: str) -> str:
    seen = o.nodes.get(node.name)
    if seen is None:
        return f"{node.name} has not registered{_unsigned(o, node)}{_over(o)}"
    if not seen.ready:
        return f"{node.name} is not Ready: {seen.reason or 'no reason given'}"
    if role not in seen.roles:
        return f"{node.name} has no label {role}"
    return f"{node.name} has no serving certificate yet" if _unserved(o, node) else ""


def _unserved(o: Observation, node: Node) -> bool:
    """Whether the node has joined with its first request, and has nothing to show to the API server yet. Requests go
    an hour after they were answered, the first one before the other."""
    user = f"{NODE_USER}{node.name}"
    issued = [r for r in o.requests if r.issued and r.asked and r.asked.common_names == (user,)]
    return any(r.user != user for r in issued) and not any(r.user == user and r.signer == SERVING for r in issued)


def _over(o: Observation) -> str:
    """Without its identity a new node cannot even ask."""
    return f"; {remedy(o.joining_over)}" if o.joining_over else ""


def _unsigned(o: Observation, node: Node) -> str:
    """A request that was approved long ago and has no certificate: the controller-manager's signer is not at work."""
    named = (f"{NODE_USER}{node.name}",)
    own = [r for r in o.requests if r.asked and r.asked.common_names == named]
    unsigned = [r.name for r in own if r.state == "approved" and not r.issued]
    return f"; {_listed(unsigned)} is approved but not signed" if unsigned else ""


def etcd_grown(o: Observation, cluster: Cluster) -> str:
    if o.etcd is None:
        return f"etcd: {o.etcd_trouble or 'no answer'}"
    voters = {m.name for m in o.etcd.members if m.started and not m.learner}
    missing = [n.name for n in cluster.masters if masters.member_name(n) not in voters]
    return f"{_listed(missing)}: {grow(o.etcd, cluster).why}" if missing else ""


def apis(o: Observation, cluster: Cluster) -> str:
    serving = [n.name for n in cluster.masters if n.name not in o.serving]
    if serving:
        return f"the API server on {_listed(serving)}"
    unseen = [n.name for n in cluster.masters if o.balanced.get(n.name) != "up"]
    if unseen:
        return f"the load balancer to see {_listed(unseen)} as healthy"
    return _pods(o, cluster, "kube-apiserver")


def controllers(o: Observation, cluster: Cluster) -> str:
    return _pods(o, cluster, "kube-controller-manager") or _pods(o, cluster, "kube-scheduler")


def _pods(o: Observation, cluster: Cluster, name: masters.Name) -> str:
    places = [masters.mirror(cluster, name, node) for node in cluster.masters]
    missing = [place for place in places if place not in o.pods or not o.pods[place].ready]
    named = {place: place.partition("/")[2] for place in missing}
    said = [f"{pod} ({reason})" if (reason := _reason(o, place)) else pod for place, pod in named.items()]
    return f"the pods {_listed(said)} to be Ready" if missing else ""


def _reason(o: Observation, place: str) -> str:
    return o.pods[place].reason if place in o.pods else ""


def complete(o: Observation, cluster: Cluster) -> str:
    return "" if o.complete else "bootkube.sh to record the end of the bootstrap"


def balancer(o: Observation, cluster: Cluster) -> str:
    name = cluster.bootstrap.name
    return f"the load balancer to remove {name}" if o.in_balancer(name) else ""


def drained(o: Observation, cluster: Cluster) -> str:
    name = cluster.bootstrap.name
    kept = apiserver.DOCUMENT.file in o.manifests.get(name, frozenset())
    return f"the API server on {name} to finish" if kept or name in o.answering else ""


def etcd_bootstrap_gone(o: Observation, cluster: Cluster) -> str:
    if o.etcd is None:
        return f"etcd: {o.etcd_trouble or 'no answer'}"
    there = any(m.name == BOOTSTRAP_MEMBER for m in o.etcd.members)
    return f"{BOOTSTRAP_MEMBER} to leave: {grow(o.etcd, cluster).why}" if there else ""


def bootstrap_off(o: Observation, cluster: Cluster) -> str:
    name = cluster.bootstrap.name
    return f"{name} to be off" if name in o.running else ""


def workers_on(o: Observation, cluster: Cluster) -> str:
    off = [n.name for n in cluster.workers if n.name not in o.running]
    return f"{_listed(off)} to be on" if off else ""


def proxied(o: Observation, cluster: Cluster) -> list[str]:
    """Masters with kube-proxy, in a cluster whose network operator takes over from it."""
    if "network" not in cluster.operators:
        return []
    names = {kube_proxy.DOCUMENT.file, kube_proxy.LEAVING}
    return [n.name for n in cluster.masters if not names.isdisjoint(o.manifests.get(n.name, frozenset()))]


def version(o: Observation, cluster: Cluster) -> str:
    wanted = cluster.release.version
    done = o.version.completed and o.version.version == wanted
    return "" if done else f"ClusterVersion at {wanted}: {o.version.message or 'CVO has not reported'}"


def settled(o: Observation, cluster: Cluster) -> str:
    moving = [f"{row.name} is still rolling out: {row.message}" for row in o.operators if row.progressing]
    if left := proxied(o, cluster):
        moving.append(f"kube-proxy has not left {_listed(left)} yet, and the network operator serves ClusterIPs")
    return o.api or "; ".join(moving)
