"""What a render came to, for people and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hardway.bootkube.operators.row import Facts, Operator
from hardway.render.operators.run import RENDERED, Outcome, call
from hardway.render.outputs import what_for

NO_ROW = "no row explains it"


def as_dict(outcome: Outcome) -> dict[str, Any]:
    name = outcome.operator.name
    return {
        "operator": name,
        "state": outcome.state,
        "why": outcome.why_not,
        "call": outcome.call,
        "leftOut": list(outcome.left_out),
        "folder": f"{RENDERED}/{name}" if outcome.files else "",
        "files": {file: what_for(name, file) for file in outcome.files},
        "unexplained": unexplained(outcome),
    }


def unexplained(outcome: Outcome) -> list[str]:
    return [file for file in outcome.files if not what_for(outcome.operator.name, file)]


def text(outcomes: Sequence[Outcome], *, every_file: bool) -> str:
    lines: list[str] = []
    for outcome in outcomes:
        lines += _lines(outcome, every_file)
    return "\n".join(lines)


def _count(files: Sequence[str]) -> str:
    return "1 file" if len(files) == 1 else f"{len(files)} files"


def _lines(outcome: Outcome, every_file: bool) -> list[str]:
    name = outcome.operator.name
    if outcome.state == "absent":
        return [f"{name}: not rendered: {outcome.why_not}; bootkube's call:", f"    {outcome.call}"]
    head = f"{name}: {outcome.state}, {_count(outcome.files)} in assets/{RENDERED}/{name}"
    notes = [f"    without {flag}, which this release's program does not know" for flag in outcome.left_out]
    notes += [f"    {file}: {NO_ROW}" for file in unexplained(outcome)]
    wide = max((len(file) for file in outcome.files), default=0)
    files = [f"    {file:<{wide}}  {what}" for file in outcome.files if (what := what_for(name, file))]
    return [head, *notes, *(files if every_file else ())]


def call_as_dict(operator: Operator, facts: Facts) -> dict[str, Any]:
    return {
        "operator": operator.name,
        "why": operator.why.what,
        "missing": facts.missing(operator),
        "call": call(operator, facts),
        "flags": {
            f.name: {"value": facts.fill(f.value), "why": f.why.what, "breaks": f.why.breaks} for f in operator.flags
        },
        "copies": [
            {"from": _from(operator, c.source, c.pattern), "to": c.target, "why": c.why} for c in operator.copies
        ],
    }


def call_text(operator: Operator, facts: Facts) -> str:
    missing = facts.missing(operator)
    lines = [f"{operator.name}: {operator.why.what}", f"    {call(operator, facts)}"]
    lines += [f"    cannot be run: {missing}"] if missing else []
    wide = max(len(f.name) for f in operator.flags)
    lines += [f"    {f.name:<{wide}}  {f.why.what} Without it: {f.why.breaks}." for f in operator.flags]
    lines += [f"    {_from(operator, c.source, c.pattern)} -> {c.target}: {c.why}" for c in operator.copies]
    return "\n".join(lines)


def _from(operator: Operator, source: str, pattern: str) -> str:
    return f"{source or operator.output}/{pattern}"
