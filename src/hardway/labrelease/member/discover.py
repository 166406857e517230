"""discover-etcd-initial-cluster: whom a member that starts must know, as `NAME=PEER,…`, for ETCD_INITIAL_CLUSTER.

The etcd operator's pod asks it before it starts etcd. The operator adds the member first: until its peer address is on
the list there is nothing to join. A member that has its data already knows all this, and is not asked: a list needs a
majority, and where there are two members the one that starts again is half of it.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from hardway.tools.run import attempt

PORT = 2380
PAUSE, TURNS = 1.0, 300  # seconds between two questions, and how many there are before the pod begins again


def arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="discover-etcd-initial-cluster", description=__doc__)
    for name in ("cacert", "cert", "key", "endpoints", "data-dir", "target-peer-url-host", "target-name"):
        parser.add_argument(f"--{name}", required=True)
    return parser.parse_args(argv)


def members(asked: argparse.Namespace, endpoint: str) -> list[dict[str, Any]]:
    """The list as one endpoint has it; empty if it does not answer."""
    words = ["etcdctl", "member", "list", "--write-out=json", f"--endpoints={endpoint}"]
    words += [f"--cacert={asked.cacert}", f"--cert={asked.cert}", f"--key={asked.key}"]
    plain = {name: value for name, value in os.environ.items() if not name.startswith("ETCDCTL_")}
    done = attempt(words, environment=plain)
    if not done.ok:
        print(f"{endpoint}: {done.errors.strip()[-300:]}", file=sys.stderr)
        return []
    return list(json.loads(done.output).get("members") or ())


def initial_cluster(found: Sequence[dict[str, Any]], host: str, name: str) -> str:
    """All members, the one that starts under its own name; empty as long as it is not among them."""
    own = [m for m in found if any(_host(peer) == host for peer in m["peerURLs"])]
    if not own:
        return ""
    named = [(name if member in own else member.get("name", ""), member["peerURLs"]) for member in found]
    return ",".join(f"{who}={peer}" for who, peers in named if who for peer in peers)


def _host(url: str) -> str:
    return (urlsplit(url).hostname or "").strip("[]")


def main(argv: Sequence[str]) -> int:
    asked = arguments(argv)
    host = asked.target_peer_url_host
    if (Path(asked.data_dir) / "member").is_dir():
        print(f"{asked.target_name}=https://{host}:{PORT}")
        return 0
    for _ in range(TURNS):
        for endpoint in asked.endpoints.split(","):
            if answer := initial_cluster(members(asked, endpoint), host.strip("[]"), asked.target_name):
                print(answer)
                return 0
        time.sleep(PAUSE)
    print(f"no member list has a peer at {host}: the operator has not added this member", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
