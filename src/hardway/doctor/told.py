"""What a reader is told of a case: its cause, what is affected, what to do, and the command for it."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from hardway.checks import all as every
from hardway.checks.failures import BY_ID
from hardway.doctor.diagnosis import Case, Diagnosis, Effect, Root
from hardway.drive.stall import Cause
from hardway.model.check import Check, Finding

PROGRAMS = "cat chmod crictl curl df dig hardway journalctl oc openshift-install openssl ping rm ss wipefs".replace(
    " ", "|"
)
COMMAND = re.compile(rf"`((?:{PROGRAMS}) [^`]+)`")
"""Words between backticks that are a command, and not a setting or the text of a log."""


@cache
def _checks() -> dict[str, tuple[every.Looks, Check[Any]]]:
    return {check.name: (kind, check) for kind, rows in every.tables().items() for check in rows}


def cause(case: Case) -> str:
    """Why it fails. Of a defect without a failure mode: what should hold."""
    first = case.findings[0]
    if first.candidates:
        return "; or ".join(f"{name}: {BY_ID[name].cause.rstrip('.')}" for name in first.candidates)
    return BY_ID[first.failure].cause if first.failure else _checks()[first.check][1].why.what


def affected(finding: Finding) -> str:
    return BY_ID[finding.failure].why.readers if finding.failure else _checks()[finding.check][1].why.readers


def command(finding: Finding) -> str:
    """What decides, corrects or shows it, in this order."""
    for text in (finding.decide, finding.fix):
        if found := COMMAND.search(text):
            return found[1]
    kind, check = _checks()[finding.check]
    if kind == "files":
        return f"{every.COMMANDS[kind]} {check.stage}"
    return every.COMMANDS[kind] if not finding.failure else f"hardway explain failure/{finding.failure}"


def because(effect: Effect) -> str:
    """Why it follows from the other."""
    return "; ".join(row.why.what for row in effect.way) or "it is the same failure, seen from elsewhere"


def stall(root: Root) -> Cause:
    """For those who wait for a milestone: the cause alone, with its first evidence."""
    first = root.case.findings[0]
    names = tuple(sorted(root.case.failures)) or first.candidates
    known = f"{first.failure}: {cause(root.case)}" if first.failure else cause(root.case)
    text = f"either {known}" if first.candidates else known if first.failure else f"expected, and not so: {known}"
    return Cause(text=text, evidence=first.line, fix=first.decide or first.fix, failures=names)


def _finding(finding: Finding) -> dict[str, Any]:
    return finding.as_dict() | {
        "effect": finding.breaks,
        "affected": affected(finding),
        "candidates": list(finding.candidates),
        "decide": finding.decide,
        "command": command(finding),
    }


def _case(case: Case) -> dict[str, Any]:
    return {
        "id": case.id,
        "failures": sorted(case.failures),
        "candidates": sorted(case.candidates),
        "cause" if case.failures or case.candidates else "expected": cause(case),
        "fails": case.failing,
        "findings": [_finding(f) for f in case.findings],
    }


def _root(root: Root) -> dict[str, Any]:
    effects = [_case(e.case) | {"by": e.by, "because": because(e)} for e in root.effects]
    return _case(root.case) | {"effects": effects}


def as_dict(diagnosis: Diagnosis) -> dict[str, Any]:
    report = diagnosis.report.as_dict()
    told = {"roots": [_root(root) for root in diagnosis.roots], "notes": list(diagnosis.report.notes)}
    return told | {k: report[k] for k in ("ran", "skipped", "ok")}
