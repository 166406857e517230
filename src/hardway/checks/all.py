"""Every check there is, by what it looks at. Tables are imported only when somebody asks."""

from __future__ import annotations

from typing import Any

from hardway.model.check import Check

Rows = tuple[Check[Any], ...]


def tables() -> dict[str, Rows]:
    from hardway.checks.files.table import TABLE as FILES
    from hardway.checks.host.lab import TABLE as LAB
    from hardway.checks.host.table import TABLE as HOST
    from hardway.checks.live.table import TABLE as LIVE
    from hardway.checks.network.dns import TABLE as DNS
    from hardway.checks.network.haproxy.table import TABLE as HAPROXY
    from hardway.checks.network.ports import TABLE as PORTS

    return {"files": FILES, "host": HOST, "lab": LAB, "dns": DNS, "ports": PORTS, "haproxy": HAPROXY, "live": LIVE}


def checks() -> Rows:
    return tuple(check for rows in tables().values() for check in rows)
