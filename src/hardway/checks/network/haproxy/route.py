"""The ports of the plan in a haproxy.cfg that somebody wrote: who takes the connections, and who gets them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from hardway.checks.network.target import Expect
from hardway.model.check import Flaw
from hardway.model.cluster import Cluster
from hardway.network.frontends import TABLE, Frontend
from hardway.network.haproxy.read import Line, Proxy, bound


@dataclass(frozen=True, slots=True, kw_only=True)
class PortRoute:
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


@dataclass(frozen=True, kw_only=True)
class BalancerFile:
    """What checks of a haproxy.cfg look at."""

    name: str
    proxies: list[Proxy]
    cluster: Cluster
    expect: Expect

    @cached_property
    def routes(self) -> list[PortRoute]:
        return list(_routes(self))


def _routes(file: BalancerFile) -> Iterator[PortRoute]:
    backs = {p.name: p for p in file.proxies if p.kind in ("backend", "listen")}
    for row in TABLE:
        for front in file.proxies:
            line = next((line for line, _, port in bound(front) if port == row.port), None)
            if line:
                named = front.last("default_backend")
                yield PortRoute(
                    file=file.name,
                    cluster=file.cluster,
                    expect=file.expect,
                    row=row,
                    front=front,
                    bind=line,
                    back=front if front.kind == "listen" else backs.get(named.words[-1] if named else ""),
                )
                break


def unbound(file: BalancerFile) -> Iterator[Flaw]:
    """Ports of the plan that no proxy binds, or binds where nobody asks."""
    for row in TABLE:
        places = {address for proxy in file.proxies for _, address, port in bound(proxy) if port == row.port}
        missing = [vip for vip in dict.fromkeys(row.vips(file.cluster)) if not places & {"", vip}]
        if missing:
            said = f"on {', '.join(sorted(places))} only" if places else "nowhere"
            message = f"port {row.port} is bound {said}; it must be on {', '.join(missing)}"
            fix = f"add `bind {missing[0]}:{row.port}`"
            yield Flaw(subject=f"{file.name}: {row.name}", message=message, fix=fix, breaks=row.why.breaks)
