"""A running cluster as a witness: the objects of its API, and events as the lines of a log."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path

from hardway.checks.cluster.objects import COLLECTIONS, Object, Objects, moment
from hardway.checks.cluster.table import TABLE as CLUSTER
from hardway.checks.log.table import TABLE as LOG
from hardway.doctor.log import events, scanned_bytes
from hardway.doctor.past import explained
from hardway.drive.client import Client, Trouble
from hardway.drive.csr.look import look
from hardway.drive.csr.plan import Joining
from hardway.model.check import Report, run
from hardway.model.entropy import SystemEntropy

THE_API = "the API"
AT_ONCE = timedelta(0)


def objects(client: Client) -> tuple[dict[str, tuple[Object, ...]], str]:
    """By kind, and why there are none."""
    with ThreadPoolExecutor(max_workers=len(COLLECTIONS), thread_name_prefix="doctor") as pool:
        answers = dict(zip(COLLECTIONS, pool.map(client.items, COLLECTIONS.values()), strict=True))
    found = {kind: said for kind, said in answers.items() if not isinstance(said, Trouble)}
    troubles = [said.message for said in answers.values() if isinstance(said, Trouble) and said.kind != "not-found"]
    return found, "" if found else troubles[0]


def examine(
    client: Client,
    *,
    plan: Joining | None = None,
    home: Path | None = None,
    off: Mapping[str, str] | None = None,
    since: timedelta | None = None,
    later: timedelta = AT_ONCE,
) -> Report:
    """Requests are compared with the plan, where there is one; `home` has the keys that nodes have joined with.
    `later`: judged as if so much more time had passed and nothing had changed."""
    found, silent = objects(client)
    now = SystemEntropy().now()
    seen = look(client, plan, home) if plan and home and found else None
    verdicts = None if seen is None or isinstance(seen, Trouble) else {v.request: v for v in seen.verdicts}
    state = Objects(where=THE_API, now=now + later, of=found, verdicts=verdicts, silent=silent, off=off)
    report = run(CLUSTER, state)
    recent = [e for e in found.get("Event", ()) if since is None or _after(e, now - since)]
    log = scanned_bytes(events(recent), "events")
    return explained(report, [run(LOG, log)]) if log.sightings and not report.ok else report


def _after(event: Object, begin: datetime) -> bool:
    when = moment(event.get("lastTimestamp") or event.get("eventTime"))
    return when is None or when >= begin
