"""How a row of the table of checks is written."""

from __future__ import annotations

from hardway.checks.engine import Check
from hardway.model.why import because

FAILURES = "failure modes of hand-made clusters"


def check(
    name: str,
    stage: str,
    run: object,
    what: str,
    breaks: str,
    failure: str = "",
    source: str = FAILURES,
    *,
    general: bool = False,
) -> Check:
    why = because(what, readers="hardway verify", breaks=breaks, source=source)
    return Check(name=name, stage=stage, run=run, failure=failure, why=why, general=general)  # type: ignore[arg-type]
