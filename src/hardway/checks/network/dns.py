"""The checks of DNS: every record of the plan, both ways, and nothing beyond it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from ipaddress import ip_address

from hardway.checks.failures import source_of
from hardway.checks.network.target import Source, Target
from hardway.lines.default import DEFAULT
from hardway.model.check import Check, Flaw, never
from hardway.model.cluster import Cluster
from hardway.model.why import because
from hardway.network.dns.records import ADDRESS_KINDS, BY_NAME, ROWS, Host, hosts, reverse, services

NO_API = "no command reaches the cluster: oc and the administrator's kubeconfig use this name"
OTHER_API = "oc and the administrator's kubeconfig use this name: they go past the load balancer"
"""What a wrong record `api` leads to. The nodes use api-int."""
FILES = "`hardway network files` writes the records for dnsmasq and BIND"


def _listed(values: Iterable[str]) -> str:
    return ", ".join(sorted(values)) or "nothing"


def _of(target: Target, *rows: str) -> Iterator[tuple[Source, Host]]:
    for server in target.answering:
        yield from ((server, host) for host in hosts(target.cluster) if host.row in rows)


def _owners(cluster: Cluster, addresses: set[str]) -> str:
    names = [node.name for node in cluster.nodes if addresses & set(node.addresses)]
    return f", which is {' and '.join(names)}" if names else ""


def nobody(target: Target) -> str:
    return "" if target.answering else "no name server answers"


def silent(target: Target) -> Iterator[Flaw]:
    for server, reason in target.silent.items():
        fix = "start the name server, open port 53 over UDP and TCP, or correct `dns` in hosts.yaml"
        yield Flaw(subject=str(server), message=f"the name server does not answer: {reason}", fix=fix)


def missing(target: Target) -> Iterator[Flaw]:
    for server, host in _of(target, "api", "api-int"):
        found, code = target.addresses(server, host.name)
        if not found:
            message = f"{server} has no address for it ({code}); expected: {_listed(host.addresses)}"
            breaks = NO_API if host.row == "api" else ""
            yield Flaw(subject=host.name, message=message, fix=f"add the record; {FILES}", breaks=breaks)


def balancer(target: Target) -> Iterator[Flaw]:
    for server, host in _of(target, "api", "api-int"):
        found, _ = target.addresses(server, host.name)
        if found and found != set(host.addresses):
            where = _owners(target.cluster, found)
            message = f"{server} says {_listed(found)}{where}; expected: {_listed(host.addresses)}"
            breaks = OTHER_API if host.row == "api" else ""
            fix = f"point it at the load balancer; {FILES}"
            yield Flaw(subject=host.name, message=message, fix=fix, breaks=breaks)


def forward(target: Target) -> Iterator[Flaw]:
    for server, host in _of(target, "nodes"):
        found, code = target.addresses(server, host.name)
        if found != set(host.addresses):
            said = _listed(found) if found else code
            message = f"{server} says {said}; expected: {_listed(host.addresses)}"
            yield Flaw(subject=host.name, message=message, fix=f"correct the record; {FILES}")


def backward(target: Target) -> Iterator[Flaw]:
    nodes = {a for node in target.cluster.nodes for a in node.addresses}
    planned = {a: name for a, name in reverse(target.cluster).items() if a in nodes}
    for server in target.answering:
        for address, name in planned.items():
            found = target.ask(server, ip_address(address).reverse_pointer, "PTR")
            if set(found.values) != {name}:
                said = _listed(found.values) if found.values else f"no name ({found.code})"
                message = f"{server} says {said}; the reverse record must be {name} and nothing else"
                yield Flaw(subject=address, message=message, fix=f"add the PTR record; {FILES}")


def apps(target: Target) -> Iterator[Flaw]:
    for server, host in _of(target, "apps"):
        name = host.name.replace("*", target.unusual, 1)
        found, code = target.addresses(server, name)
        if found != set(host.addresses):
            said = _listed(found) if found else code
            message = f"{server} says {said} for {name}; expected: {_listed(host.addresses)}"
            yield Flaw(subject=host.name, message=message, fix=f"add the wildcard record; {FILES}")


def catch_all(target: Target) -> Iterator[Flaw]:
    for server in target.answering:
        name = f"{target.unusual}.{target.cluster.domain}"
        found, _ = target.addresses(server, name)
        if found:
            message = f"{server} says {_listed(found)} for {name}, which does not exist"
            fix = f"remove the wildcard above apps, also in {target.cluster.base_domain} and as search domain"
            yield Flaw(subject=f"*.{target.cluster.domain}", message=message, fix=fix)


def denied(target: Target) -> Iterator[Flaw]:
    for server, host in _of(target, *(row.name for row in ROWS)):
        name = host.name.replace("*", target.unusual, 1)
        answers = {kind: target.ask(server, name, kind) for kind in ADDRESS_KINDS}
        refused = [kind for kind, answer in answers.items() if answer.code == "NXDOMAIN"]
        if refused and any(answer.values for answer in answers.values()):
            message = f"{server} has an address for {name}, and says NXDOMAIN when asked for {refused[0]}"
            fix = f"answer with no data instead (dnsmasq: local=/{host.name.removeprefix('*.')}/); {FILES}"
            yield Flaw(subject=host.name, message=message, fix=fix, severity="warning")


def etcd(target: Target) -> Iterator[Flaw]:
    fix = f"add the records if you have such tools; {FILES}"
    for server, host in _of(target, "etcd"):
        found, code = target.addresses(server, host.name)
        if found != set(host.addresses):
            message = f"{server} says {_listed(found) if found else code}; the plan has {_listed(host.addresses)}"
            yield Flaw(subject=host.name, message=message, fix=fix, severity="warning")
    name, planned = services(target.cluster)
    wanted = {(str(s.port), s.target) for s in planned}
    for server in target.answering:
        answer = target.ask(server, name, "SRV")
        if {tuple(value.split(" ")[2:]) for value in answer.values} != wanted:
            said = _listed(answer.values) if answer.values else answer.code
            yield Flaw(subject=name, message=f"{server} says {said}", fix=fix, severity="warning")


def _row(
    name: str,
    failure: str,
    run: Callable[[Target], Iterable[Flaw]],
    what: str,
    breaks: str,
    *,
    readers: str = "the nodes",
    source: str = "",
) -> Check[Target]:
    why = because(what, readers=readers, breaks=breaks, source=source_of(failure) or source)
    return Check(name=name, stage="02", failure=failure, run=run, why=why, skip=never if run is silent else nobody)


TABLE: tuple[Check[Target], ...] = (
    _row(
        "dns.server",
        "F03",
        silent,
        "Every name server of the nodes answers.",
        "no node finds api-int or a registry: kubelets never join and no image is pulled",
    ),
    _row(
        "dns.api",
        "F44",
        missing,
        "api and api-int resolve.",
        "kubelets and operators fail with `lookup api-int: no such host`, and no node joins",
    ),
    _row(
        "dns.balancer",
        "F04",
        balancer,
        "api and api-int resolve to the load balancer and to no node.",
        "a node connects to a machine that has no API yet, often to itself: connection refused, without end",
    ),
    _row(
        "dns.nodes",
        "F15",
        forward,
        "Every node's name resolves to its address.",
        "logs, exec and metrics by node name reach another machine or none",
    ),
    _row(
        "dns.reverse",
        "F15",
        backward,
        "Every node's address resolves back to its name, and to that name alone.",
        "a machine without a static name calls itself localhost or by the wrong name, and its certificate is refused",
    ),
    _row(
        "dns.apps",
        "F33",
        apps,
        "Any name below *.apps resolves to the ingress load balancer.",
        "the authentication and console operators cannot reach their own routes: the installation stops at 99 %",
    ),
    _row(
        "dns.catch-all",
        "F34",
        catch_all,
        "A name below the cluster's domain that has no record does not resolve.",
        "pods that try a name with the search domain appended get the load balancer instead of `no such name`",
    ),
    _row(
        "dns.denied",
        "",
        denied,
        "A name with an address of one family gives an empty answer, not NXDOMAIN, for the other family.",
        "programs in Alpine images, and resolvers that cache the denial, do not find the name at all",
        source="RFC 8020",
    ),
    _row(
        "dns.etcd",
        "",
        etcd,
        "etcd's names and its SRV record exist, for tools that use them.",
        f"no effect in {DEFAULT.minor} itself; a tool of yours that looks up etcd finds no record",
        readers="tools of yours that look up etcd by DNS",
        source=BY_NAME["etcd"].why.source,
    ),
)
