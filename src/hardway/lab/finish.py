"""Stage 17 in the lab: kubectl of the lab release, on the lab's own network."""

from __future__ import annotations

from hardway.checks.live import table
from hardway.checks.live.given import Given
from hardway.drive.live import ADMIN, LiveCluster
from hardway.lab import network
from hardway.lab.paths import BALANCER
from hardway.lab.prepared import Prepared
from hardway.model.check import Report
from hardway.places import finish as places
from hardway.places.kubectl import Kubectl, as_administrator
from hardway.tools.run import attempt
from hardway.workspace.names import ASSETS


def kubectl(prepared: Prepared) -> Kubectl:
    """Where the load balancer is: the name of the API need not mean anything on the machine itself."""
    options = as_administrator(prepared.cluster, prepared.folder / ASSETS / ADMIN)
    command = [str(prepared.materials.programs["kubectl"]), *options]
    return lambda words: attempt(network.command(prepared.paths, BALANCER, [*command, *words]))


def given(prepared: Prepared, live: LiveCluster, *, seconds: float = places.PODS) -> Given:
    return places.given(live, kubectl(prepared), seconds=seconds)


def verify(prepared: Prepared, live: LiveCluster) -> Report:
    return table.verify(given(prepared, live))
