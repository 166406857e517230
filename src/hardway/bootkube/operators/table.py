"""THE TABLE of operators that render for the bootstrap: one row each, in bootkube's order."""

from __future__ import annotations

from difflib import get_close_matches

from hardway.bootkube.operators import config, control, controllers, nodes
from hardway.bootkube.operators.row import Facts, Operator
from hardway.model.cluster import Release
from hardway.model.errors import ConfigError

TABLE: tuple[Operator, ...] = (
    *config.ROWS,
    *control.ROWS,
    *controllers.ROWS,
    *nodes.ROWS,
)
BY_NAME = {row.name: row for row in TABLE}
BY_STAGE = {row.stage: row for row in TABLE}


def absent(release: Release) -> tuple[str, ...]:
    """Those that the release cannot run."""
    return tuple(row.name for row in TABLE if Facts(release=release).missing(row))


def find(name: str) -> Operator:
    if name in BY_NAME:
        return BY_NAME[name]
    near = get_close_matches(name, BY_NAME, n=1)
    hint = f"did you mean {near[0]}?" if near else f"name one of {', '.join(BY_NAME)}"
    raise ConfigError(f"{name}: no operator of this name renders for the bootstrap.\n    fix: {hint}")
