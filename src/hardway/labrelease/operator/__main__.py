"""Looks at the cluster again and again, and reports. `python3 -m hardway.labrelease.operator NAME...`, VERSION in
OPERATOR_IMAGE_VERSION. `service-ca` among the names: Services get the serving certificates that they ask for."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence

from hardway.labrelease.operator.api import Api, in_cluster
from hardway.labrelease.operator.judge import State, status
from hardway.labrelease.operator.nodes import NODES, open_masters
from hardway.labrelease.operator.serving import fulfil
from hardway.labrelease.operator.table import SERVICE_CA, TABLE, Row
from hardway.model.errors import ToolError

SECONDS = 5


def observe(api: Api, rows: Sequence[Row]) -> State:
    namespaces = sorted({name for row in rows for name in row.namespaces})
    return State(
        nodes=api.list(NODES),
        pods=[pod for name in namespaces for pod in api.list(f"/api/v1/namespaces/{name}/pods")],
        readyz={row.readyz: api.passes(row.readyz) for row in rows if row.readyz},
    )


def report(api: Api, rows: Sequence[Row], version: str) -> list[str]:
    """One look; the operators whose status has changed are told, and named."""
    state = observe(api, rows)
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    changed = []
    for row in rows:
        before = api.operator(row.name).get("status") or {}
        after = status(row, state, before=before, version=version, now=now)
        if any(before.get(key) != value for key, value in after.items()):
            api.report(row.name, after)
            changed.append(f"{row.name}: {after['conditions'][0]['message']}")
    return changed


def turn(api: Api, rows: Sequence[Row], version: str, *, certificates: bool) -> list[str]:
    """Do what others would do, then report; everything that was done, in words."""
    done = fulfil(api) if certificates else []
    return [*done, *open_masters(api, api.list(NODES)), *report(api, rows, version)]


def main() -> None:
    rows = [row for row in TABLE if row.name in sys.argv[1:]]
    version, api = os.environ["OPERATOR_IMAGE_VERSION"], in_cluster()
    while True:
        try:
            for line in turn(api, rows, version, certificates=SERVICE_CA in sys.argv[1:]):
                print(line, flush=True)
        except (OSError, ValueError, KeyError, ToolError) as error:  # the API comes and goes while the cluster grows
            print(f"not now: {error}", flush=True)
        time.sleep(SECONDS)


if __name__ == "__main__":
    main()
