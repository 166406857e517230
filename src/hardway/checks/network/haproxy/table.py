"""What is wrong with a haproxy.cfg that somebody wrote, port by port, and what the nodes will suffer from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from hardway.checks.network.haproxy import servers
from hardway.checks.network.haproxy.route import BalancerFile, PortRoute, unbound
from hardway.checks.network.target import Expect
from hardway.model.check import Check, Flaw, Report, Severity, run
from hardway.model.cluster import Cluster
from hardway.model.errors import ConfigError
from hardway.model.why import Why, because
from hardway.network.haproxy.read import read, seconds

LONG = 3600.0  # what a watch may be silent


def mode(route: PortRoute) -> Iterator[Flaw]:
    for proxy in route.proxies:
        if proxy.mode != "tcp" and route.row.port != 80:
            fix = f"write `mode tcp` in {proxy.kind} {proxy.name}"
            yield Flaw(subject=route.at(proxy.number), message=f"{proxy.kind} {proxy.name} is in HTTP mode", fix=fix)
    if "ssl" in route.bind.words:
        message = "TLS ends at the load balancer: `ssl` on the bind line"
        yield Flaw(subject=route.at(route.bind.number), message=message, fix="bind without `ssl` and `crt`")


def timeouts(route: PortRoute) -> Iterator[Flaw]:
    if route.row.name not in ("api", "ingress-https"):
        return
    severity: Severity = "error" if route.row.name == "api" else "warning"
    for proxy, name in ((route.front, "client"), (route.back, "server")):
        line, tunnel = (proxy.last("timeout", word) if proxy else None for word in (name, "tunnel"))
        longest = max((seconds(one.words[-1]) or 0 for one in (line, tunnel) if one), default=LONG)
        if line and longest < LONG:
            message = f"`timeout {name} {line.words[-1]}` cuts every connection that is idle for that long"
            yield Flaw(
                subject=route.at(line.number), message=message, fix=f"write `timeout {name} 4h`", severity=severity
            )


def _none_bound(file: BalancerFile) -> str:
    return "" if file.routes else "no port of the plan is bound"


def _row(
    name: str, failure: str, look: Callable[[PortRoute], Iterable[Flaw]], what: str, suffers: str
) -> Check[BalancerFile]:
    """A check of each port; without a failure of its own it finds the port's."""

    def run(file: BalancerFile) -> Iterator[Flaw]:
        for route in file.routes:
            yield from (replace(flaw, failure=failure or route.row.failure) for flaw in look(route))

    return Check(name=name, stage="02", failure=failure, run=run, why=_why(what, suffers), skip=_none_bound)


def _why(what: str, suffers: str) -> Why:
    return because(what, readers="the nodes", breaks=suffers, source="failure modes; the table of frontends")


TABLE: tuple[Check[BalancerFile], ...] = (
    Check(
        name="haproxy.bind",
        stage="02",
        failure="F26",
        run=unbound,
        why=_why(
            "Every port of the plan is bound on its virtual address.",
            "nodes cannot reach the load balancer there: connection refused",
        ),
    ),
    _row(
        "haproxy.mode",
        "F25",
        mode,
        "Connections are passed through unchanged, TLS included.",
        "the API sees the load balancer instead of the client's certificate, and refuses every kubelet",
    ),
    _row(
        "haproxy.timeouts",
        "F25",
        timeouts,
        "A connection may be idle for an hour.",
        "watches, `oc logs -f` and `oc exec` are cut again and again, and operators report an API that comes and goes",
    ),
    _row(
        "haproxy.backends",
        "",
        servers.backends,
        "Each backend has the planned machines, all of them and no others.",
        "calls go to machines that do not serve the port, or to none: refused, EOF, or a master that is never used",
    ),
    _row(
        "haproxy.checks",
        "F25",
        servers.checks,
        "Each server has a health check in its own protocol.",
        "servers that start or stop get traffic and calls are lost; or all count as down, and none gets any",
    ),
    _row(
        "haproxy.pace",
        "F25",
        servers.pace,
        "A server that fails its check is removed within half a minute, and keeps its connections.",
        "calls are lost at every rollout of the API server",
    ),
)


def check(file: str, text: str, cluster: Cluster, expect: Expect) -> Report:
    proxies = read(text)
    if not proxies:
        fix = "name a file with frontend, backend or listen sections"
        raise ConfigError(f"{file}: there is no proxy in it.\n    fix: {fix}")
    return run(TABLE, BalancerFile(name=file, proxies=proxies, cluster=cluster, expect=expect))
