"""The checks of stage 04."""

from __future__ import annotations

from hardway.checks.files import release, render
from hardway.checks.files.row import check

RELEASE = (
    check("release.present", "04", release.present, "What was read is whole.", "later stages build on nothing"),
    check("release.images", "04", release.images, "Images are the payload's.", "a node runs another program"),
    check("release.pinned", "04", release.pinned, "Images are named by digest.", "they change under the cluster"),
    check("release.version", "04", release.version, "One version everywhere.", "operators wait for theirs", "F41"),
    check("release.crds", "04", release.crds, "Each CRD is one, and there once.", "the last one applied wins"),
    check("release.kinds", "04", release.kinds, "Every object's kind is defined.", "no matches for kind"),
    check("render.present", "04", render.present, "Each pool has its render.", "nodes have no operating-system layer"),
    check("render.modes", "04", render.modes, "Only the owner can read it.", "whoever reads it can pull as you"),
    check(
        "render.release", "04", render.same_release, "It is of this release.", "nodes update at first boot to another"
    ),
    check("render.cluster", "04", render.same_cluster, "It is of this cluster.", "unknown authority", "F06"),
    check("render.pull-secret", "04", render.pull_secret, "Nodes can pull.", "unauthorized", "F11"),
)
