"""One check for each row of words: it looks at what was seen of them in a log."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from hardway.checks.failures import BY_ID
from hardway.checks.log.row import FOREVER, Words
from hardway.checks.log.scan import Scanned, Sighting
from hardway.checks.log.secrets import without_secrets
from hardway.checks.log.words.cluster import CLUSTER
from hardway.checks.log.words.network import NETWORK
from hardway.checks.log.words.nodes import NODES
from hardway.checks.log.words.trust import TRUST
from hardway.io.harmless import one_line
from hardway.model.check import Check, Flaw
from hardway.model.why import because

ROWS: tuple[Words, ...] = (*TRUST, *NETWORK, *NODES, *CLUSTER)
SHOWN = 300
LOOKED_AT = 4096  # characters from which these come
STAGE = "17"
MINUTE = 60


def _run(row: Words, log: Scanned) -> Iterator[Flaw]:
    if seen := log.sightings.get(row.name):
        lasting = _lasts(row, seen, log)
        if lasting != "over":
            yield Flaw(
                subject=f"{log.name}:{seen.number}",
                message=_told(row, seen, lasting),
                failure=row.modes[0] if len(row.modes) == 1 else "",
                candidates=row.modes if len(row.modes) > 1 else (),
                decide=row.decide,
                severity="error" if lasting == "yes" else "warning",
            )


def _lasts(row: Words, seen: Sighting, log: Scanned) -> str:
    """Whether it lasted longer than is normal (yes), stopped before that (over), or may be normal still (so far)."""
    if not row.minutes:
        return "yes"
    if seen.first is None or seen.last is None:
        return "so far"
    begin = 0 if seen.first.clock == "boot" else seen.first.seconds
    if seen.last.seconds - begin > row.minutes * MINUTE:
        return "yes"
    stopped = log.end is not None and log.end.clock == seen.last.clock
    return "over" if stopped and log.end and log.end.seconds - seen.last.seconds > row.minutes * MINUTE else "so far"


def _told(row: Words, seen: Sighting, lasting: str) -> str:
    line = without_secrets(one_line(seen.line.decode("utf-8", "replace").strip()[:LOOKED_AT]))
    shown = line if len(line) <= SHOWN else f"{line[:SHOWN]}…"
    times = f"; {seen.count} lines like this, the last is {seen.last_number}" if seen.count > 1 else ""
    normal = f"; normal for {row.minutes} minutes" if lasting == "so far" and row.minutes < FOREVER else ""
    return f"{shown} ({row.what}{times}{normal})"


def _check(row: Words) -> Check[Scanned]:
    first = BY_ID[row.modes[0]]
    decided = len(row.modes) == 1
    return Check(
        name=row.name,
        stage=STAGE,
        failure=row.modes[0] if decided else "",
        fix=first.fix if decided else f"Find the cause: {row.decide}.",
        run=partial(_run, row),
        why=because(
            f"No line of the log shows that {row.what}.",
            readers=first.why.readers,
            breaks=first.symptom if decided else "; or ".join(f"{m}: {BY_ID[m].symptom}" for m in row.modes),
            source=first.why.source,
        ),
    )


TABLE: tuple[Check[Scanned], ...] = tuple(map(_check, ROWS))
