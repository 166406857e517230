"""What a machine asked for before it was switched off, and can have no use for any more.

A kubelet that rotates its certificate keeps the key of its first request in memory until the certificate is there.
After a power cut in between it asks with another key: the earlier request would stand beside it as a rival for ever.
"""

from __future__ import annotations

from hardway.drive.client import Trouble, path
from hardway.drive.csr import memory
from hardway.drive.csr.approve import CSRS
from hardway.drive.csr.judge import first_key
from hardway.drive.csr.parse import parse
from hardway.drive.live import LiveCluster

NODES = "/api/v1/nodes"


def void(live: LiveCluster, node: str) -> str:
    """For a machine that is off, is about to be switched on by this program, and has never joined: its first requests
    go, and it may have another key once. One that has joined has its certificate, and nothing is changed. Gives what
    stood in the way: a machine that is started without this may wait for ever."""
    found, items = live.api.get(path(NODES, node)), live.api.items(CSRS)
    if not isinstance(found, Trouble):
        return ""
    if found.kind != "not-found" or isinstance(items, Trouble):
        return f"whether {node} has joined: {found if found.kind != 'not-found' else items}"
    old = [item for item in items if any(name == node for name, _ in first_key(parse(item), live.cluster))]
    for item in old:
        live.api.delete(path(CSRS, item["metadata"]["name"]))
    if old or node in memory.read(live.assets).keys:
        memory.allow(live.assets, [node])
    return ""
