"""The name servers that a node asks, in their order, against those of the plan."""

from __future__ import annotations

from collections.abc import Iterator

from hardway.checks.nodes.subject import RunningNodes
from hardway.model.check import Flaw

FILE = "/etc/resolv.conf"


def listed(text: str) -> list[str]:
    rows = (line.split() for line in text.splitlines())
    return [row[1] for row in rows if len(row) > 1 and row[0] == "nameserver"]


def wrong(seen: RunningNodes) -> Iterator[Flaw]:
    planned = seen.cluster.dns_servers
    for name, said in seen.ask_all(["cat", FILE]).items():
        servers = listed(said)
        if not servers:
            yield Flaw(subject=f"{name} {FILE}", message="names no name server", failure="F03")
        elif servers[0] not in planned:
            message = f"{servers[0]} is asked first, and is not in the plan ({', '.join(planned)})"
            yield Flaw(subject=f"{name} {FILE}", message=message, failure="F55")
