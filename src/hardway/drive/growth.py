"""How etcd grows from the bootstrap member to one a master, and loses the bootstrap member: one safe step. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from hardway.drive.etcd import Member, Status
from hardway.model.cluster import Cluster, Node
from hardway.staticpods.etcd.flags import BOOTSTRAP_MEMBER
from hardway.staticpods.masters import member_name, peer_url

Kind = Literal["add", "start", "promote", "move-leader", "remove", "wait", "done", "stuck"]
CAUGHT_UP = 0.9  # etcd's own measure: a learner with less of the leader's log is refused


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    kind: Kind
    why: str
    node: str = ""  # whose member
    member: int = 0
    peer: str = ""
    initial_cluster: str = ""  # name=peer,… of all members, for one that starts

    @property
    def acts(self) -> bool:
        return self.kind not in ("wait", "done", "stuck")


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """The member list, what members say (by member), and whether the bootstrap is over."""

    members: Sequence[Member]
    statuses: Mapping[int, Status]
    complete: bool = False

    def of(self, cluster: Cluster, node: Node) -> Member | None:
        """By name; before its first start a member has only the peer URL it was added with."""
        name, peer = member_name(node), peer_url(cluster, node)
        return next((m for m in self.members if m.name == name or (not m.started and peer in m.peers)), None)

    def healthy(self, member: Member) -> bool:
        status = self.statuses.get(member.id)
        return status is not None and status.healthy

    @property
    def leader(self) -> Status | None:
        return next((s for s in self.statuses.values() if s.leader == s.id), None)


def decide(view: View, cluster: Cluster) -> Step:
    """The next step. The same picture gives the same step, so whoever was interrupted only has to look again."""
    if not view.members:
        return Step(kind="wait", why="etcd has no members yet")
    if strangers := _strangers(view, cluster):
        return Step(kind="stuck", why=f"members that are not in the plan: {', '.join(strangers)}")
    for node in cluster.masters:
        step = _grown(view, cluster, node)
        if step is not None:
            return step
    return _shrunk(view, cluster)


def _strangers(view: View, cluster: Cluster) -> list[str]:
    planned = {m.id for node in cluster.control_plane if (m := view.of(cluster, node))}
    return [m.name or ",".join(m.peers) for m in view.members if m.id not in planned]


def _grown(view: View, cluster: Cluster, node: Node) -> Step | None:
    """What this master's member needs to become a voter; None if it is one."""
    member = view.of(cluster, node)
    if member is None:
        return _added(view, cluster, node)
    if not member.started:
        why = f"the member of {node.name} is in the list but has not started"
        return Step(
            kind="start",
            why=why,
            node=node.name,
            member=member.id,
            initial_cluster=initial_cluster(view, cluster, node),
        )
    if member.learner:
        return _promoted(view, node, member)
    return None


def _added(view: View, cluster: Cluster, node: Node) -> Step:
    """Only while all is well: a member more raises what a majority is."""
    if missing := [m.name or "one that has not started" for m in view.members if not view.healthy(m)]:
        return Step(
            kind="wait", node=node.name, why=f"before another member is added, {', '.join(missing)} must answer"
        )
    if learners := [m.name for m in view.members if m.learner]:
        return Step(kind="wait", node=node.name, why=f"one learner at a time: {', '.join(learners)} is still learning")
    why = f"{node.name} is next; as a learner it receives the data and has no vote"
    return Step(kind="add", why=why, node=node.name, peer=peer_url(cluster, node))


def _promoted(view: View, node: Node, member: Member) -> Step:
    own, leader = view.statuses.get(member.id), view.leader
    if own is None:
        return Step(kind="wait", node=node.name, why=f"the learner on {node.name} does not answer")
    if leader is None:
        return Step(kind="wait", node=node.name, why="etcd has no leader")
    if own.index < leader.index * CAUGHT_UP:
        return Step(kind="wait", node=node.name, why=f"{node.name} has {own.index} of {leader.index} entries")
    why = f"{node.name} has caught up and gets its vote"
    return Step(kind="promote", why=why, node=node.name, member=member.id)


def _shrunk(view: View, cluster: Cluster) -> Step:
    """Every master has a vote: the bootstrap member may go, once nobody needs its machine and all masters are well."""
    bootstrap = next((m for m in view.members if m.name == BOOTSTRAP_MEMBER), None)
    ill = [node.name for node in cluster.masters if not _voter(view, cluster, node)]
    if bootstrap is None:
        return (
            Step(kind="wait", why=f"no answer from {', '.join(ill)}") if ill else Step(kind="done", why="one a master")
        )
    if ill:
        return Step(
            kind="wait", why=f"before {BOOTSTRAP_MEMBER} leaves, every master must be healthy: {', '.join(ill)}"
        )
    if not view.complete:
        return Step(kind="wait", why="ConfigMap kube-system/bootstrap does not say complete yet")
    leader = view.leader
    if leader is not None and leader.id == bootstrap.id:
        target = view.of(cluster, cluster.masters[0])
        assert target is not None
        why = f"{BOOTSTRAP_MEMBER} is the leader: moving leadership first avoids an election"
        return Step(kind="move-leader", why=why, node=cluster.masters[0].name, member=target.id)
    why = f"every master has a healthy voter and the bootstrap is complete: {BOOTSTRAP_MEMBER} leaves"
    return Step(kind="remove", why=why, node=cluster.bootstrap.name, member=bootstrap.id)


def _voter(view: View, cluster: Cluster, node: Node) -> bool:
    member = view.of(cluster, node)
    return member is not None and member.started and not member.learner and view.healthy(member)


def initial_cluster(view: View, cluster: Cluster, starting: Node) -> str:
    """All members as a starting one must know them, its own name filled in: etcd compares it with the list."""
    own = peer_url(cluster, starting)
    pairs = [(m.name or member_name(starting), peer) for m in view.members for peer in m.peers if m.name or peer == own]
    return ",".join(f"{name}={peer}" for name, peer in pairs)
