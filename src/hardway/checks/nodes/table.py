"""One row a check; each asks every machine that is on, and needs no API."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from hardway.checks.nodes import ports, resolvers, units
from hardway.checks.nodes.subject import RunningNodes
from hardway.model.check import Check, Flaw
from hardway.model.why import because


def _row(
    name: str,
    run: Callable[[RunningNodes], Iterable[Flaw]],
    what: str,
    *,
    readers: str,
    breaks: str,
    fix: str,
    source: str,
) -> Check[RunningNodes]:
    why = because(what, readers=readers, breaks=breaks, source=source)
    return Check(name=f"nodes.{name}", stage="17", run=run, fix=fix, why=why)


TABLE: tuple[Check[RunningNodes], ...] = (
    _row(
        "units",
        units.failed,
        "No systemd unit on a node has failed or starts again and again.",
        readers="every program on that node that needs the unit; every pod, if the unit is the kubelet or CRI-O",
        breaks="the node lacks what the unit provides",
        fix="read the unit's journal: `journalctl -u UNIT`",
        source="systemctl(1), list-units",
    ),
    _row(
        "ports",
        ports.closed,
        "Every server on a control-plane node can be reached from the nodes that need it.",
        readers="etcd's members, and operators whose pods run on other nodes",
        breaks="connections between nodes time out, although the server runs",
        fix="open the port in the firewall of that node, and between the nodes",
        source="the plan; OpenShift's ports between machines",
    ),
    _row(
        "resolvers",
        resolvers.wrong,
        "The name server that a node asks first is one of the plan's.",
        readers="every program on that node that resolves api-int or a registry",
        breaks="names of the cluster do not resolve, or not on every try",
        fix="give every card of the node the name servers of the plan",
        source="resolv.conf(5): name servers are asked in their order",
    ),
)
