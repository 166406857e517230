"""What is wrong with a haproxy.cfg that somebody wrote, port by port, and what the nodes will suffer from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from hardway.checks.engine import Flaw
from hardway.checks.network.haproxy import servers
from hardway.checks.network.haproxy.route import Way, unbound, ways
from hardway.checks.network.probe import Expect
from hardway.model.cluster import Cluster
from hardway.model.errors import ConfigError
from hardway.model.report import Finding, Report, Severity
from hardway.model.why import Why, because
from hardway.network.haproxy.read import read, seconds

LONG = 3600.0  # what a watch may be silent


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    name: str
    failure: str  # empty: the one of the port
    why: Why  # `breaks` is what a node will suffer
    run: Callable[[Way], Iterable[Flaw]] | None


def mode(way: Way) -> Iterator[Flaw]:
    for proxy in way.proxies:
        if proxy.mode != "tcp" and way.row.port != 80:
            fix = f"write `mode tcp` in {proxy.kind} {proxy.name}"
            yield Flaw(subject=way.at(proxy.number), message=f"{proxy.kind} {proxy.name} is in HTTP mode", fix=fix)
    if "ssl" in way.bind.words:
        message = "TLS ends at the load balancer: `ssl` on the bind line"
        yield Flaw(subject=way.at(way.bind.number), message=message, fix="bind without `ssl` and `crt`")


def timeouts(way: Way) -> Iterator[Flaw]:
    if way.row.name not in ("api", "ingress-https"):
        return
    severity: Severity = "error" if way.row.name == "api" else "warning"
    for proxy, name in ((way.front, "client"), (way.back, "server")):
        line, tunnel = (proxy.last("timeout", word) if proxy else None for word in (name, "tunnel"))
        longest = max((seconds(one.words[-1]) or 0 for one in (line, tunnel) if one), default=LONG)
        if line and longest < LONG:
            message = f"`timeout {name} {line.words[-1]}` cuts every connection that is silent for so long"
            yield Flaw(
                subject=way.at(line.number), message=message, fix=f"write `timeout {name} 4h`", severity=severity
            )


def _row(name: str, failure: str, run: Callable[[Way], Iterable[Flaw]] | None, what: str, suffers: str) -> Rule:
    why = because(what, readers="the nodes", breaks=suffers, source="failure modes; the table of frontends")
    return Rule(name=name, failure=failure, run=run, why=why)


BIND = _row(
    "haproxy.bind",
    "F26",
    None,  # there is no way to follow
    "Every port of the plan is bound on its virtual address.",
    "nodes cannot reach the load balancer there: connection refused",
)
TABLE: tuple[Rule, ...] = (
    BIND,
    _row(
        "haproxy.mode",
        "F25",
        mode,
        "Connections are passed as they are, TLS and all.",
        "the API sees the load balancer instead of the client's certificate, and refuses every kubelet",
    ),
    _row(
        "haproxy.timeouts",
        "F25",
        timeouts,
        "A connection may be silent for an hour.",
        "watches, `oc logs -f` and `oc exec` are cut again and again, and operators report an API that comes and goes",
    ),
    _row(
        "haproxy.backends",
        "",
        servers.backends,
        "The machines of the plan are behind each port, all of them and no others.",
        "calls go to machines that do not serve the port, or to none: refused, EOF, or a master that is never used",
    ),
    _row(
        "haproxy.checks",
        "F25",
        servers.checks,
        "Each server is asked whether it is ready, in the language that it speaks.",
        "servers that are starting or going get traffic and calls are lost; or all count as dead, and none gets any",
    ),
    _row(
        "haproxy.pace",
        "F25",
        servers.pace,
        "A server that says no is out within half a minute, and keeps the connections it has.",
        "calls are lost at every rollout of the API server",
    ),
)


def check(file: str, text: str, cluster: Cluster, expect: Expect) -> Report:
    proxies = read(text)
    if not proxies:
        fix = "name a file with frontend, backend or listen sections"
        raise ConfigError(f"{file}: there is no proxy in it.\n    fix: {fix}")
    found = [_finding(BIND, BIND.failure, flaw) for flaw in unbound(file, proxies, cluster)]
    for way in ways(file, proxies, cluster, expect):
        flaws = [(rule, flaw) for rule in TABLE if rule.run for flaw in rule.run(way)]
        found += [_finding(rule, rule.failure or way.row.failure, flaw) for rule, flaw in flaws]
    return Report(ran=tuple(rule.name for rule in TABLE), findings=tuple(found))


def _finding(rule: Rule, failure: str, flaw: Flaw) -> Finding:
    return Finding(
        check=rule.name,
        subject=flaw.subject,
        message=flaw.message,
        fix=flaw.fix,
        failure=failure,
        severity=flaw.severity,
    )
