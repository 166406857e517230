"""The checks of the load balancer: one row a frontend, and one for ports on which nobody listens."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hardway.checks.failures import source_of
from hardway.checks.network.target import Expect, Target
from hardway.model.check import Check, Flaw
from hardway.model.why import because
from hardway.network import frontends
from hardway.network.frontends import Frontend
from hardway.network.ports import DEAF, EMPTY, Seen

NEEDED: dict[str, tuple[Expect, ...]] = {"api": ("api", "cluster")}
"""From when on a living server must be behind a frontend; the others' come with the finished cluster."""
_FIX = {
    "api": "TCP mode, and checks of /readyz over TLS, as in the haproxy.cfg of `hardway network files`",
    "machine-config": "the machine-config server's pods on the masters, and the backends of port 22623",
    "ingress-http": "routers (pods in openshift-ingress) and the nodes behind the port: workers, or masters alone",
    "ingress-https": "routers (pods in openshift-ingress) and the nodes behind the port: workers, or masters alone",
}
_BEFORE = "TCP mode and the backends of the port, as in the haproxy.cfg of `hardway network files`"
"""While no machine has to be there yet, the load balancer alone can be wrong."""
_UNREADY = "a server that is not ready gets traffic"
_NAMELESS = "it requires an identity, so health checks without one fail too"
_MEANS = {500: _UNREADY, 503: _UNREADY, 401: _NAMELESS, 403: _NAMELESS}
_STRANGER = "the answer does not come from OpenShift: a proxy or another program is in between"


def deaf(target: Target) -> Iterator[Flaw]:
    for seen in target.seen:
        if seen.state in DEAF:
            fix = (
                f"put {seen.address} on the load balancer, start it, and let SELinux and the firewall pass port "
                f"{seen.frontend.port}"
            )
            message, breaks = f"nothing listens for {seen.frontend.name}: {seen.text}", seen.frontend.why.breaks
            yield Flaw(subject=seen.place, message=message, fix=fix, breaks=breaks)


def _wrong(seen: Seen, *, needed: bool) -> str:
    """What is wrong with a port on which somebody listens; nothing if all is well."""
    if seen.state in DEAF:
        return ""
    if seen.state in EMPTY:
        return f"the load balancer has no working server behind it ({seen.state})" if needed else ""
    if seen.state == "not TLS":
        return "the answer is not TLS: the load balancer is in HTTP mode, or another program listens"
    if seen.state == "TLS error":
        return f"the TLS handshake fails: {seen.detail}"
    if seen.frontend.health.tls and not 200 <= seen.status < 300:
        return f"{seen.frontend.health.path} answers {seen.status}: {_MEANS.get(seen.status, _STRANGER)}"
    return ""


def _row(row: Frontend) -> Check[Target]:
    def run(target: Target) -> Iterator[Flaw]:
        needed = target.expect in NEEDED.get(row.name, ("cluster",))
        for seen in target.seen:
            if seen.frontend is row and (message := _wrong(seen, needed=needed)):
                fix = f"check {_FIX[row.name] if needed else _BEFORE}"
                yield Flaw(subject=f"{seen.place} ({row.name})", message=message, fix=fix)

    def unheard(target: Target) -> str:
        heard = any(seen.frontend is row and seen.state not in DEAF for seen in target.seen)
        return "" if heard else "nothing listens on the port"

    purpose = f"{row.why.what[0].lower()}{row.why.what[1:]}"
    why = replace(row.why, what=f"A server answers behind port {row.port}. The port is for {purpose}")
    return Check(name=f"lb.{row.name}", stage="02", failure=row.failure, why=why, run=run, skip=unheard)


TABLE: tuple[Check[Target], ...] = (
    Check(
        name="lb.listens",
        stage="02",
        failure="F26",
        run=deaf,
        why=because(
            "Every port of the plan is open on its virtual address.",
            readers="the nodes",
            breaks="nodes cannot reach the load balancer: no kubelet joins, no route answers",
            source=source_of("F26"),
        ),
    ),
    *(_row(row) for row in frontends.TABLE),
)
