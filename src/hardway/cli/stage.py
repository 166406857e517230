"""One stage that is run alone: its reason before, and what was looked at afterwards."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from hardway.cli.options import counted
from hardway.cli.terminal.text import show, tell
from hardway.model.errors import CheckError

if TYPE_CHECKING:
    from hardway.places.verified import Verified
    from hardway.stages.row import Stage


def why(stage: Stage) -> None:
    tell(f"stage {stage.label}\n  why      {stage.why.what}\n  without  {stage.why.breaks}")
    for row in stage.reaches:
        tell(f"  {row.name}: {row.why.what}\n    made by  {row.who}\n    without  {row.why.breaks}")
    tell("")


def print_verified(stage: Stage, rows: Sequence[Verified], output: str, following: str) -> None:
    """`following` is the command for the next stage; none after the last."""
    wrong = [row for row in rows if not row.ok]
    if output == "json":
        for row in rows:
            said = {"kind": "verified", "stage": stage.number, "name": row.name, "ok": row.ok, "text": row.text}
            said["state"] = row.state
            click.echo(json.dumps(said))
    else:
        tell("\nverified:")
        for row in rows:
            (tell if row.ok else show)(f"  {row.state:<6} {row.name}: {row.text}")
    if wrong:
        raise CheckError(f"stage {stage.number}: verification failed: {counted(len(wrong), 'defect')}")
    if output == "text" and following:
        tell(f"\nnext: {following}")
