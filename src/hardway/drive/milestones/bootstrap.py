"""The first milestones: a temporary control plane, and masters that have joined it."""

from __future__ import annotations

from hardway.drive import conditions
from hardway.drive.milestones.row import Milestone, milestone
from hardway.lines.sources import source

BOOTSTRAP = source("cluster-bootstrap", "pkg/start")

FIRST: tuple[Milestone, ...] = (
    milestone(
        "bootstrap-etcd",
        "10",
        conditions.bootstrap_etcd,
        "The first member of the store answers.",
        "the API server never becomes ready",
        who="the kubelet on the bootstrap node, from a static pod",
        observed="etcd's status on port 2379 of the bootstrap node",
        minutes=20,
        limit="boot, and pulling etcd's image over a slow line",
        failures=("F02", "F08", "F11", "F12", "F37"),
    ),
    milestone(
        "bootstrap-api",
        "10",
        conditions.bootstrap_api,
        "The bootstrap node's API server is ready, and the load balancer leads to it.",
        "bootkube.sh applies nothing and no master can join",
        who="the kubelet on the bootstrap node; the load balancer",
        observed="/readyz on port 6443, of the node and through the load balancer",
        minutes=20,
        limit="the installer's own wait for the API",
        failures=("F01", "F02", "F04", "F07", "F25", "F26"),
    ),
    milestone(
        "manifests",
        "10",
        conditions.manifests,
        "bootkube.sh has created every CRD and manifest, status included.",
        "operators find no configuration",
        who="bootkube.sh on the bootstrap node",
        observed="/opt/openshift/.bootkube/manifests on the bootstrap node",
        minutes=30,
        limit="some manifests wait for types that CVO brings",
        failures=("F24", "F41", "F42"),
        source=BOOTSTRAP,
    ),
    milestone(
        "version-syncs",
        "10",
        conditions.version_syncs,
        "CVO has read the release and begun to apply it.",
        "no operator is ever deployed",
        who="the cluster-version operator on the bootstrap node",
        observed="status.history of ClusterVersion version",
        minutes=20,
        limit="pulling the release image",
        failures=("F11", "F12", "F41"),
    ),
    milestone(
        "masters-ready",
        "11",
        conditions.masters_ready,
        "Every master has both its certificates and is Ready.",
        "there is nowhere to put a control plane",
        who="the masters' kubelets; requests are approved by plan",
        observed="nodes, their Ready condition and their role",
        minutes=45,
        limit="the installer's wait for the whole bootstrap",
        failures=("F03", "F15", "F16", "F23", "F27", "F29"),
    ),
)
