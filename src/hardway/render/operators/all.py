"""`hardway render`: the operators that were named, one after the other, from one cluster's folder."""

from __future__ import annotations

from collections.abc import Sequence

from hardway.bootkube.operators.row import Operator
from hardway.registry.choose import access_of
from hardway.render import trust
from hardway.render.operators.inputs import demand_release, facts, inputs
from hardway.render.operators.run import RENDERED, Job, Outcome, Say, render
from hardway.workspace.folder import Workspace


def render_all(workspace: Workspace, operators: Sequence[Operator], say: Say) -> list[Outcome]:
    """Each from the same inputs: what our tables make, and not what another operator rendered."""
    demand_release(workspace)
    trust.demand(workspace)
    known, files = facts(workspace), inputs(workspace)
    access, cluster = access_of(workspace.loaded), workspace.loaded.cluster
    with workspace.store.alone():
        folder = workspace.store.folder(RENDERED)
        return [
            render(
                Job(operator=operator, facts=known, files=files, access=access, cluster=cluster),
                folder,
                say,
            )
            for operator in operators
        ]
