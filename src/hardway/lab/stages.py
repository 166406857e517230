"""How the stages of a folder's cluster stand, wherever it runs."""

from __future__ import annotations

from hardway.drive import record
from hardway.lab.cluster_files import fits
from hardway.lab.owner import has_lab
from hardway.pipeline.status import StageStatus, status
from hardway.places.remembered import kept, read
from hardway.workspace.folder import Workspace


def stages(workspace: Workspace) -> list[StageStatus]:
    """Machines are meant where some are remembered, and where `hardway lab up` would refuse the folder's release."""
    cluster, folder = workspace.loaded.cluster, workspace.folder
    machines = read(folder) is not None or not fits(folder, cluster)
    past = record.reached(kept(folder)) if machines else None
    return status(workspace, lab=has_lab(cluster.name, folder), past=past)
