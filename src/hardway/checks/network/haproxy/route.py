"""The ports of the plan in a haproxy.cfg that somebody wrote: who takes the connections, and who gets them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hardway.checks.engine import Flaw
from hardway.checks.network.probe import Expect
from hardway.model.cluster import Cluster
from hardway.network.frontends import TABLE, Frontend
from hardway.network.haproxy.read import Line, Proxy, bound


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """From one port to the servers behind it."""

    file: str
    cluster: Cluster
    expect: Expect
    row: Frontend
    front: Proxy
    bind: Line
    back: Proxy | None

    @property
    def proxies(self) -> list[Proxy]:
        return [self.front, *([self.back] if self.back and self.back is not self.front else [])]

    def at(self, number: int) -> str:
        return f"{self.file}:{number}: {self.row.name}"


def ways(file: str, proxies: list[Proxy], cluster: Cluster, expect: Expect) -> Iterator[Way]:
    backs = {p.name: p for p in proxies if p.kind in ("backend", "listen")}
    for row in TABLE:
        for front in proxies:
            line = next((line for line, _, port in bound(front) if port == row.port), None)
            if line:
                named = front.last("default_backend")
                back = front if front.kind == "listen" else backs.get(named.words[-1] if named else "")
                yield Way(file=file, cluster=cluster, expect=expect, row=row, front=front, bind=line, back=back)
                break


def unbound(file: str, proxies: list[Proxy], cluster: Cluster) -> Iterator[Flaw]:
    """Ports of the plan that no proxy binds, or binds where nobody asks."""
    for row in TABLE:
        places = {address for proxy in proxies for _, address, port in bound(proxy) if port == row.port}
        missing = [vip for vip in dict.fromkeys(row.vips(cluster)) if not places & {"", vip}]
        if missing:
            said = f"on {', '.join(sorted(places))} only" if places else "nowhere"
            message = f"port {row.port} is bound {said}; it must be on {', '.join(missing)}"
            yield Flaw(subject=f"{file}: {row.name}", message=message, fix=f"add `bind {missing[0]}:{row.port}`")
