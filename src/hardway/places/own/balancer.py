"""The load balancer: through the admin socket of an HAProxy, or seen from outside, by who answers behind it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from socket import create_connection
from typing import Protocol

from hardway.drive import record
from hardway.drive.access import Access
from hardway.drive.machines import Backend, ByHand
from hardway.drive.wire import context_for
from hardway.model.cluster import Cluster
from hardway.network.haproxy.runtime import OUT, servers, take_out
from hardway.tools.patience import stretched

API = "api"  # HAProxy's backend of the API servers, in the files that `hardway network files` writes
DISCOVERY = "/api"  # names the API server that answers, by its own address
TIMES = 8  # connections for each server, at least
MOST = 600  # connections at once: a process may have about a thousand files open
SECONDS = 4.0  # for an answer
SHORT, LONG = 1.0, 5.0  # seconds between two looks; the long one is for many connections
LET_GO, COMPLETE = "balancer", "complete"  # milestones


class Balancer(Protocol):
    def drop(self, node: str) -> None:
        """No new connection goes to the node."""

    def state(self, node: str) -> Backend: ...


class Socket:
    """An HAProxy on this machine."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def drop(self, node: str) -> None:
        take_out(self._path, node)

    def state(self, node: str) -> Backend:
        found = [s.status for s in servers(self._path) if (s.backend, s.name) == (API, node)]
        if not found or found[0].startswith(OUT):
            return "out"
        return "up" if found[0].startswith("UP") else "down"


class Outside:
    """Somebody else's. The API server that answers a request says who it is. Connections stay open while more are made,
    so that a load balancer that counts them (`leastconn`) comes to every server that is in service. The bootstrap node
    is out when no connection comes to it, although each master has got more of them than the bootstrap node has."""

    def __init__(self, cluster: Cluster, access: Access, kept: Path, connections: Callable[[str], int]) -> None:
        self._cluster, self._access, self._kept, self._connections = cluster, access, kept, connections
        places = {node.name: frozenset(node.addresses) for node in cluster.control_plane}
        self._places: Mapping[str, frozenset[str]] = places
        self._seen: set[str] = set()
        self._unseen = False  # the bootstrap node, by a look that would have come to it
        self._next = 0.0

    def drop(self, node: str) -> None:
        raise ByHand(
            "out",
            f"take {node} ({', '.join(sorted(self._places[node]))}) out of your load balancer: no new connection may "
            f"go to its ports 6443 and 22623 through {', '.join(self._cluster.api_vips)}; those that it has may stay",
        )

    def state(self, node: str) -> Backend:
        past = record.reached(self._kept)
        if time.monotonic() > self._next:
            self._look(leaving=COMPLETE in past and LET_GO not in past)
        if self._places[node] & self._seen:
            return "up"
        is_out = node == self._cluster.bootstrap.name and (LET_GO in past or self._unseen)
        return "out" if is_out else "down"

    def _look(self, *, leaving: bool) -> None:
        """Until every server has answered; while the bootstrap node is leaving, until it must have."""
        masters, before = len(self._cluster.masters), self._cluster.bootstrap.name
        count = TIMES * len(self._places) + (masters * self._connections(before) if leaving else 0)
        self._seen, self._unseen = set(), False
        try:
            for address in behind(self._access, min(count, MOST)):
                self._seen.add(address)
                if all(own & self._seen for own in self._places.values()):
                    break
            self._unseen = leaving and not self._places[before] & self._seen
        except (OSError, HTTPException, ValueError):
            self._seen = set()  # not every server was asked
        self._next = time.monotonic() + (LONG if leaving else SHORT)


def behind(access: Access, count: int) -> Iterator[str]:
    """The addresses of the API servers that answer, over as many connections, which stay open until the end."""
    context, endpoint = context_for(access.identity), access.endpoints[0]
    with ExitStack() as held:
        for _ in range(count):
            plain = create_connection((endpoint.host, endpoint.port), stretched(SECONDS))
            held.callback(plain.close)
            line = HTTPConnection(endpoint.host)
            line.sock = context.wrap_socket(plain, server_hostname=endpoint.name)
            held.callback(line.close)
            line.request("GET", DISCOVERY)
            rows = json.loads(line.getresponse().read()).get("serverAddressByClientCIDRs") or [{}]
            yield str(rows[0].get("serverAddress", "")).rpartition(":")[0].strip("[]")
