"""The results of the experiment, as they are remembered or found anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from hardway.explain import memory, text
from hardway.explain.explanation import explain_all
from hardway.explain.origin.kinds import has_origin
from hardway.explain.origin.trial import Trial, as_row, by_address, from_row, trials
from hardway.workspace.folder import Workspace


def recalled(folder: Path) -> list[Trial]:
    """Nothing, if nobody has tried since the folder changed."""
    return [from_row(row) for row in memory.trials(folder)]


def found(workspace: Workspace, folder: Path) -> Sequence[Trial]:
    """Tried now, and remembered; a render outside the folder may change unseen, so what it decides is not."""
    rows = trials(workspace)
    if rows and not workspace.loaded.settings.mco:
        places = by_address(rows)
        every = explain_all(workspace)
        full = (replace(one, decided=places.get(one.address, ())) if has_origin(one) else one for one in every)
        memory.remember(folder, map(text.as_dict, full), map(as_row, rows))
    return rows
