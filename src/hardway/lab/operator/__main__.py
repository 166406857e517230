"""Looks at the cluster again and again, and reports. `python3 -m hardway.lab.operator NAME...`, VERSION in
OPERATOR_IMAGE_VERSION."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence

from hardway.lab.operator.api import Api, in_cluster
from hardway.lab.operator.judge import State, status
from hardway.lab.operator.table import TABLE, Row

SECONDS = 5


def observe(api: Api, rows: Sequence[Row]) -> State:
    namespaces = sorted({name for row in rows for name in row.namespaces})
    return State(
        nodes=api.list("/api/v1/nodes"),
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


def main() -> None:
    rows = [row for row in TABLE if row.name in sys.argv[1:]]
    version, api = os.environ["OPERATOR_IMAGE_VERSION"], in_cluster()
    while True:
        try:
            for line in report(api, rows, version):
                print(line, flush=True)
        except (OSError, ValueError, KeyError) as error:  # the API comes and goes while the cluster grows
            print(f"not now: {error}", flush=True)
        time.sleep(SECONDS)


if __name__ == "__main__":
    main()
