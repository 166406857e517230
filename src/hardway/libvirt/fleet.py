"""A cluster folder and all libvirt hosts that have its machines, opened together: what the commands ask."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from hardway.libvirt.change import Change
from hardway.libvirt.choices import Choices
from hardway.libvirt.identity import read_identity
from hardway.libvirt.inventory import inventory
from hardway.libvirt.session import Balanced, Session
from hardway.libvirt.world import Seen
from hardway.model.cluster import Cluster, Node
from hardway.model.errors import ConfigError, ToolError
from hardway.model.hosts import Hosts
from hardway.model.hypervisors import FIRST_HOST
from hardway.workspace.folder import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Fleet:
    cluster: Cluster
    sessions: tuple[Session, ...]

    def changes(self) -> list[Change]:
        seen = [(session, session.seen()) for session in self.sessions]
        self._refuse_moved(seen)
        return [change for session, found in seen for change in session.changes(found)]

    def bring_up(self, tell: Callable[[Change], None]) -> list[Change]:
        self._refuse_moved([(session, session.seen()) for session in self.sessions])
        return [change for session in self.sessions for change in session.bring_up(tell)]

    def balanced(self) -> Balanced:
        """One host has the load balancer."""
        found = [session.balanced() for session in self.sessions]
        return next((row for row in found if row.socket or row.left), Balanced())

    def start(self) -> list[str]:
        return [name for session in self.sessions for name in session.start()]

    def removals(self, nodes: tuple[str, ...]) -> list[Change]:
        """By name also a machine that is no longer in the plan, if it carries the mark."""
        seen = [(session, session.seen()) for session in self.sessions]
        left = {m.node for _, found in seen for m in found.machines.values() if m.ours}
        refuse_unknown(nodes, sorted({n.name for n in self.cluster.nodes} | left))
        return [change for session, found in seen for change in session.removals(nodes, found)]

    def take_down(self, nodes: tuple[str, ...], found: list[Change]) -> None:
        for session in self.sessions:
            session.take_down(nodes, [change for change in found if change.host == session.name])

    def inventory(self) -> dict[str, Any]:
        found = [inventory(s.cluster, s.here, s.identity, s.choices, s.seen()) for s in self.sessions]
        rows = [(session.name or FIRST_HOST, row) for session, row in zip(self.sessions, found, strict=True)]
        return {
            "cluster": self.cluster.domain,
            "hosts": [{"host": name, **row["host"]} for name, row in rows],
            "machines": [{**machine, "host": name} for name, row in rows for machine in row["machines"]],
            "leftOver": [{**machine, "host": name} for name, row in rows for machine in row["leftOver"]],
        }

    def _refuse_moved(self, seen: list[tuple[Session, Seen]]) -> None:
        """A second machine with the same card and address would come up beside the first."""
        place = {node.name: session.name for session in self.sessions for node in session.here}
        for session, found in seen:
            for machine in found.machines.values():
                if machine.ours and place.get(machine.node, session.name) != session.name:
                    raise ToolError(
                        f"{machine.node} is on host {session.name}, and planned on {place[machine.node]}: a machine "
                        "does not move by itself.\n"
                        f"    fix: remove it there with `hardway infra down {machine.node}`, then run this again"
                    )


def open_fleet(workspace: Workspace, nodes: tuple[str, ...], choices: Choices) -> Fleet:
    cluster, hosts = workspace.loaded.cluster, workspace.loaded.hosts
    identity = read_identity(workspace.store.root, cluster)
    refuse_unknown(nodes, [n.name for n in cluster.nodes])
    places = _places(choices, hosts)
    here = {name: tuple(n for n in cluster.nodes if host_of(n, hosts) == name) for name in places}
    _refuse_cut(places, here)
    balancer = next(name for name in places if here[name])
    sessions = tuple(
        Session(
            name=name if len(places) > 1 else "",
            cluster=cluster,
            here=here[name],
            named=nodes,
            identity=identity,
            choices=replace(place, vips=place.vips and name == balancer),
        )
        for name, place in places.items()
    )
    return Fleet(cluster=cluster, sessions=sessions)


def host_of(node: Node, hosts: Hosts) -> str:
    return hosts.entry(node.role, node.index).hypervisor or FIRST_HOST


def _places(choices: Choices, hosts: Hosts) -> dict[str, Choices]:
    """The host of --connect, and the others with what is different on them."""
    places = {FIRST_HOST: choices}
    for name, row in hosts.hypervisors.items():
        if row.connect == choices.connect:
            fix = "take it out of hypervisors, or name another libvirt with --connect"
            raise ConfigError(f"hosts.yaml: {name} is the libvirt of --connect, {row.connect}.\n    fix: {fix}")
        bridge, pool = row.bridge or choices.bridge, row.pool or choices.pool
        places[name] = replace(choices, connect=row.connect, bridge=bridge, pool=pool)
    return places


def _refuse_cut(places: Mapping[str, Choices], here: Mapping[str, tuple[Node, ...]]) -> None:
    """Machines of one cluster on networks that do not meet."""
    used = [name for name in places if here[name]]
    alone = [name for name in used if not places[name].bridge]
    if len(used) > 1 and alone:
        raise ConfigError(
            f"the machines are on several hosts ({', '.join(used)}), and a NAT network ends at its host: those on "
            f"{' and '.join(alone)} would not reach the others.\n"
            "    fix: give each host a bridge into one network, with --bridge NAME, or `bridge` of infra in "
            "hardway.yaml, or of the host in hosts.yaml"
        )


def refuse_unknown(names: tuple[str, ...], known: list[str]) -> None:
    for name in names:
        if name not in known:
            raise ConfigError(f"{name}: there is no such machine.\n    fix: name one of {', '.join(known)}")
