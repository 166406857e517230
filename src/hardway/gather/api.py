"""Objects of the API: of a few kinds, without what may hold a secret."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from hardway.checks.cluster.objects import COLLECTIONS
from hardway.drive.client import Client, Object, Trouble
from hardway.drive.etcd import Etcd
from hardway.gather.archive import OVER, Archive, part
from hardway.model.errors import ToolError

NOT_TAKEN = frozenset({"managedFields", "kubectl.kubernetes.io/last-applied-configuration", "request", "certificate"})
"""Fields that are left out wherever they are: they are long, or repeat others."""
MOST_EVENTS = 2000


def objects(archive: Archive, client: Client) -> bool:
    """Whether the API has answered at all."""
    if archive.patience.ended():
        archive.miss("api", OVER)
        return False
    first = client.text("/version")
    if isinstance(first, Trouble):
        archive.miss("api", f"{first.message}\n    fix: {first.fix}" if first.fix else first.message)
        return False
    archive.add("api/version.json", first, "the API server's version")
    for kind, collection in COLLECTIONS.items():
        archive.attempt(f"api/{kind}.json", f"{kind} objects", partial(_listed, client, kind, collection))
    archive.attempt("api/readyz.txt", "what the API server says of itself", lambda: _text(client, "/readyz?verbose"))
    return True


def _listed(client: Client, kind: str, collection: str) -> str:
    found = client.items(collection)
    if isinstance(found, Trouble):
        raise ToolError(found.message)
    rows = found[-MOST_EVENTS:] if kind == "Event" else found
    return json.dumps({"kind": f"{kind}List", "items": [stripped(row) for row in rows]}, indent=1)


def _text(client: Client, path: str) -> str:
    said = client.text(path)
    if isinstance(said, Trouble):
        raise ToolError(said.message)
    return said


def stripped(value: Any) -> Any:
    """Values of environment variables are left out: their names tell enough."""
    if isinstance(value, dict):
        return {k: _names(v) if k == "env" else stripped(v) for k, v in value.items() if k not in NOT_TAKEN}
    return [stripped(one) for one in value] if isinstance(value, list) else value


def _names(env: Any) -> Any:
    return [{"name": row.get("name")} for row in env if isinstance(row, dict)] if isinstance(env, list) else []


def etcd(archive: Archive, name: str, member: Etcd) -> None:
    def told() -> str:
        status, members = member.status(), member.members()
        if isinstance(status, Trouble):
            raise ToolError(status.message)
        listed = members.message if isinstance(members, Trouble) else [_row(row) for row in members]
        said: Object = {"status": {k: getattr(status, k) for k in status.__slots__}, "members": listed}
        return json.dumps(said, indent=1)

    archive.attempt(f"etcd/{part(name)}.json", f"etcd's member on {name}", told)


def _row(member: Any) -> dict[str, Any]:
    return {key: getattr(member, key) for key in member.__slots__}
