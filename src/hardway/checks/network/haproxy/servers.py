"""The servers behind a port of a haproxy.cfg that somebody wrote: the right ones, and asked in the right route."""

from __future__ import annotations

from collections.abc import Iterator

from hardway.checks.network.haproxy.route import PortRoute
from hardway.model.check import Flaw, Severity
from hardway.model.cluster import Node
from hardway.network.dns.records import full_name
from hardway.network.haproxy.read import Line, Proxy, seconds, split_place

SLOWEST = 30.0  # an API server serves for 70 s after it has said no; half of it is left for the calls on their way
INTERVAL, FALLS = 2.0, 3  # HAProxy's own, where the file says nothing


def _words(back: Proxy, server: Line) -> tuple[str, ...]:
    """What is said of a server: the defaults, then its own words."""
    return (*back.server_defaults, *server.words[3:])


def _value(words: tuple[str, ...], name: str) -> str:
    found = [words[i + 1] for i, word in enumerate(words[:-1]) if word == name]
    return found[-1] if found else ""


def _node(route: PortRoute, server: Line) -> Node | None:
    address = split_place(server.words[2])[0] if ":" in server.words[2] else server.words[2]
    nodes = route.cluster.nodes
    names = ({*n.addresses, n.name, full_name(route.cluster, n)} for n in nodes)
    return next((node for node, known in zip(nodes, names, strict=True) if address in known), None)


def backends(route: PortRoute) -> Iterator[Flaw]:
    back = route.back
    if back is None:
        fix = f"write `default_backend` in {route.front.kind} {route.front.name}, and that backend"
        yield Flaw(subject=route.at(route.front.number), message="it has no backend", fix=fix)
        return
    found = [(server, _node(route, server)) for server in back.servers]
    wanted = route.row.nodes(route.cluster)
    for server, node in found:
        yield from _stranger(route, server, node)
    here = {node.name for _, node in found if node}
    late = {route.cluster.bootstrap.name} if route.expect == "cluster" else set()
    for node in wanted:
        if node.name not in here | late:
            fix = f"add `server {node.name} {node.address}:{route.row.port} …` to {back.kind} {back.name}"
            yield Flaw(
                subject=route.at(back.number),
                message=f"{node.name} ({node.address}) is missing from its backend",
                fix=fix,
            )


def _stranger(route: PortRoute, server: Line, node: Node | None) -> Iterator[Flaw]:
    place, port = server.words[2], split_place(server.words[2])[1] if ":" in server.words[2] else ""
    at, wanted = route.at(server.number), route.row.nodes(route.cluster)
    if node is None:
        message = f"{place} is not a machine of the plan"
        yield Flaw(subject=at, message=message, fix="correct the address, or remove the server", severity="warning")
    elif node not in wanted:
        message = f"{place} is {node.name}, which does not serve port {route.row.port}"
        yield Flaw(subject=at, message=message, fix="remove the server")
    elif port and port != str(route.row.port):
        message = f"{node.name} is called on port {port} instead of {route.row.port}"
        yield Flaw(subject=at, message=message, fix=f"write {node.address}:{route.row.port}")
    if node and node.role == "bootstrap" and route.expect == "cluster" and node in wanted:
        fix = "remove the server; `hardway network take-out bootstrap` does so at run time"
        yield Flaw(subject=at, message="the bootstrap node is still in the backend", fix=fix, severity="warning")


def checks(route: PortRoute) -> Iterator[Flaw]:
    if route.back is None or not route.back.servers:
        return
    back, must = route.back, route.row.name == "api"
    severity: Severity = "error" if must else "warning"
    said = [(server, _words(back, server)) for server in back.servers]
    unasked = [server for server, words in said if "check" not in words]
    if unasked:
        message, fix = f"{_names(unasked)} has no health check", "add `check` to the server line"
        yield Flaw(subject=route.at(unasked[0].number), message=message, fix=fix, severity=severity)
    elif not back.lines("option", "httpchk"):
        message = f"the health check tests only the open port, not {route.row.health.path}"
        fix = f"write `option httpchk GET {route.row.health.path}`"
        yield Flaw(subject=route.at(back.number), message=message, fix=fix, severity=severity)
    else:
        yield from _question(route, back, said, severity)
    yield from _double(route, said)


def _question(
    route: PortRoute, back: Proxy, said: list[tuple[Line, tuple[str, ...]]], severity: Severity
) -> Iterator[Flaw]:
    """What is asked, and whether in the server's language."""
    health, path = route.row.health, _path(back)
    over_tls = [s for s, words in said if _connects(back) or {"check-ssl", "ssl"} & set(words)]
    plain = [s for s, _ in said if s not in over_tls]
    if health.tls and plain:
        message = f"{_names(plain)} serves TLS but is checked over plain HTTP, so it counts as down"
        yield Flaw(subject=route.at(plain[0].number), message=message, fix="add `check-ssl verify none`")
    blind = [s for s, w in said if s in over_tls and _value(w, "verify") != "none" and not _value(w, "ca-file")]
    if blind:
        message = f"{_names(blind)} is verified against no CA, and HAProxy does not start"
        yield Flaw(subject=route.at(blind[0].number), message=message, fix="add `verify none`")
    if path.partition("?")[0] != health.path:
        message = f"the health check requests {path or '/'}; only {health.path} fails before a server shuts down"
        fix = f"write `option httpchk GET {health.path}`"
        yield Flaw(subject=route.at(back.number), message=message, fix=fix, severity=severity)
    elsewhere = [s for s, words in said if health.port and _value(words, "port") != str(health.port)]
    if elsewhere:
        message = f"{_names(elsewhere)} is checked on another port than {health.port}, where it answers"
        yield Flaw(subject=route.at(elsewhere[0].number), message=message, fix=f"add `port {health.port}`")


def _double(route: PortRoute, said: list[tuple[Line, tuple[str, ...]]]) -> Iterator[Flaw]:
    found = [server for server, words in said if "ssl" in words]
    if found:
        message = f"{_names(found)}: `ssl` wraps the client's TLS in a second TLS connection"
        yield Flaw(subject=route.at(found[0].number), message=message, fix="write `check-ssl` instead of `ssl`")


def pace(route: PortRoute) -> Iterator[Flaw]:
    for server in route.back.servers if route.back else ():
        words = _words(route.back, server) if route.back else ()
        falls = int(fall) if (fall := _value(words, "fall")).isdecimal() else FALLS
        after = (seconds(_value(words, "fastinter") or _value(words, "inter")) or INTERVAL) * falls
        if after > SLOWEST and route.row.name == "api":
            message = f"{server.words[1]} is removed only {after:.0f} s after its first failed check"
            fix = "write `inter 5s fastinter 1s fall 3`"
            yield Flaw(subject=route.at(server.number), message=message, fix=fix, severity="warning")
        if _value(words, "on-marked-down") == "shutdown-sessions":
            message = f"the connections of {server.words[1]} are cut at the first failed check, long before it stops"
            fix = "remove `on-marked-down shutdown-sessions`"
            yield Flaw(subject=route.at(server.number), message=message, fix=fix, severity="warning")


def _path(back: Proxy) -> str:
    """From `http-check send … uri PATH`, or `option httpchk [METHOD] PATH`."""
    sent = [line.after("uri") for line in back.lines("http-check", "send")]
    option = back.last("option", "httpchk")
    given = [word for word in option.words[2:] if word.startswith("/")] if option else []
    return next((path for path in (*sent, *given) if path), "")


def _connects(back: Proxy) -> bool:
    return any("ssl" in line.words for line in back.lines("http-check", "connect"))


def _names(servers: list[Line]) -> str:
    return ", ".join(server.words[1] for server in servers)
