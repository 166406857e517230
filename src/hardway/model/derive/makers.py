"""Who makes what: the operators that the release deploys, and by hand what has none.

The answer is in the cluster: `operators` has those that make their part. Every table asks there and nowhere else.
"""

from __future__ import annotations

from hardway.lines.line import Operator
from hardway.model.cluster import Release
from hardway.model.config.reading import Reading
from hardway.model.settings.file import Settings

NETWORK = "network"


def deployed(release: Release) -> tuple[Operator, ...]:
    """By the Deployment and not by the ClusterOperator: another program may report for an operator that is not there.
    Nothing is known of a release that nobody has read."""
    rows = release.line.operators if release.brought.deployments else ()
    return tuple(row for row in rows if row.deployment in release.brought.deployments)


def making(release: Release, unmanaged: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(row.name for row in deployed(release) if row.name not in unmanaged)


def unmanaged(release: Release, asked: tuple[str, ...]) -> tuple[str, ...]:
    """Of those that were named, the ones that the release has."""
    return tuple(row.name for row in deployed(release) if row.name in asked)


def judge(release: Release, settings: Settings, reading: Reading) -> None:
    """Two makers of one static pod overwrite each other's file without end."""
    rivals = [row for row in deployed(release) if row.pods and row.name not in settings.unmanaged]
    if settings.road == "hand" and rivals:
        names = ", ".join(row.name for row in rivals)
        message = f"the release deploys operators that make the same static pods: {names}. {rivals[0].why}"
        everyone = ", ".join(row.name for row in deployed(release) if row.pods)
        fix = (
            "leave `road` out, and the operators do their work; or keep CVO from deploying them, and the cluster from "
            f"being updated, with `unmanagedOperators: [{everyone}]`"
        )
        reading.error("settings.road", "road", message, fix)
    if found := unmanaged(release, settings.unmanaged):
        message = f"CVO does not deploy {', '.join(found)}, and refuses updates of the cluster as long as that is so"
        reading.warn("settings.unmanaged", "unmanagedOperators", message, "leave it out unless that is what you want")
