"""What is wrong with a haproxy.cfg that somebody wrote, port by port, and what the nodes will suffer from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from hardway.checks.failures import source_of
from hardway.checks.network.haproxy import servers
from hardway.checks.network.haproxy.route import BalancerFile, PortRoute, unbound
from hardway.checks.network.target import Expect
from hardway.model.check import Check, Flaw, Report, Severity, run
from hardway.model.cluster import Cluster
from hardway.model.errors import ConfigError
from hardway.model.why import Why, because
from hardway.network.frontends import ROUTER
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
    name: str, failure: str, look: Callable[[PortRoute], Iterable[Flaw]], what: str, effect: str, routers: str = ""
) -> Check[BalancerFile]:
    """A check of each port; without a failure of its own it finds the port's. `routers`: what it leads to on a port
    of the routers, if that is something else."""

    def run(file: BalancerFile) -> Iterator[Flaw]:
        for route in file.routes:
            breaks = routers if route.row.health is ROUTER else ""
            found = failure or route.row.failure
            yield from (replace(flaw, failure=found, breaks=breaks) for flaw in look(route))

    return Check(name=name, stage="02", failure=failure, run=run, why=_why(what, effect, failure), skip=_none_bound)


def _why(what: str, effect: str, failure: str) -> Why:
    source = source_of(failure) or "the table of ports, `hardway explain port/`"
    return because(what, readers="the nodes", breaks=effect, source=source)


TABLE: tuple[Check[BalancerFile], ...] = (
    Check(
        name="haproxy.bind",
        stage="02",
        failure="F26",
        run=unbound,
        why=_why(
            "Every port of the plan is bound on its virtual address.",
            "nodes cannot reach the load balancer there: connection refused",
            "F26",
        ),
    ),
    _row(
        "haproxy.mode",
        "F25",
        mode,
        "Connections are passed through unchanged, TLS included.",
        "the API sees the load balancer instead of the client's certificate, and refuses every kubelet",
        routers="browsers see the load balancer's certificate instead of the route's, and passthrough routes fail: the "
        "login page first",
    ),
    _row(
        "haproxy.timeouts",
        "F25",
        timeouts,
        "A connection may be idle for an hour.",
        "watches, `oc logs -f` and `oc exec` are cut again and again, and operators report an API that comes and goes",
        routers="long connections to routes are cut: terminals and followed logs in the console, WebSockets of "
        "applications",
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
        "servers that start or stop get traffic and calls are lost; or every server counts as down, and no call is "
        "forwarded",
    ),
    _row(
        "haproxy.pace",
        "F25",
        servers.pace,
        "A server that fails its check gets no new connections after half a minute at most, and keeps those that it "
        "has.",
        "calls are lost at every rollout of the API server",
        routers="connections of routes are cut at every rollout of the routers",
    ),
)


def check(file: str, text: str, cluster: Cluster, expect: Expect) -> Report:
    proxies = read(text)
    if not proxies:
        fix = "name a file with frontend, backend or listen sections"
        raise ConfigError(f"{file}: there is no proxy in it.\n    fix: {fix}")
    return run(TABLE, BalancerFile(name=file, proxies=proxies, cluster=cluster, expect=expect))
