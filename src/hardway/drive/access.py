"""From a kubeconfig that stage 06 made to a way of reaching the API: as whom, through which addresses."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from hardway.drive.wire import Endpoint, Identity
from hardway.model import yaml
from hardway.model.errors import ToolError


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    endpoints: tuple[Endpoint, ...]
    identity: Identity


def read_kubeconfig(text: str, *, reach: Sequence[str] = (), what: str = "kubeconfig") -> Access:
    """The current context. `reach` are addresses to connect to in place of the server's name, which is still what the
    server must prove: a machine that drives a cluster need not have the cluster's DNS."""
    try:
        return _read(yaml.load(text), tuple(reach))
    except (KeyError, StopIteration, TypeError, ValueError, AttributeError):
        fix = "build stage 06 again: `hardway build 06`"
        raise ToolError(f"{what}: this is not a kubeconfig with a current context.\n    fix: {fix}") from None


def _read(config: dict[str, Any], reach: tuple[str, ...]) -> Access:
    context = _named(config["contexts"], config["current-context"])["context"]
    cluster = _named(config["clusters"], context["cluster"])["cluster"]
    user = _named(config["users"], context["user"])["user"]
    server = urlsplit(cluster["server"])
    host, port = str(server.hostname), server.port or 443
    name = cluster.get("tls-server-name") or host
    return Access(
        endpoints=tuple(Endpoint(host=address, port=port, name=name) for address in reach or (host,)),
        identity=Identity(
            trust=b64decode(cluster["certificate-authority-data"]),
            certificate=b64decode(user.get("client-certificate-data", "")),
            key=b64decode(user.get("client-key-data", "")),
            token=user.get("token", ""),
        ),
    )


def _named(rows: Sequence[dict[str, Any]], name: str) -> dict[str, Any]:
    return next(row for row in rows if row["name"] == name)
