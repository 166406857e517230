"""Which of a feature set's gates reach the hand-made control plane.

OpenShift's sets name gates of all its operators. Its own fork of Kubernetes warns about the ones it does not know,
upstream's programs exit. So only gates that the line's Kubernetes knows are passed; those that it
knows and has locked cannot be set at all.
"""

from __future__ import annotations

from hardway.lines.sources import kubernetes, source
from hardway.manifests.features import resolved
from hardway.model.cluster import Cluster
from hardway.staticpods.row import Flag, flag


def settings(cluster: Cluster) -> dict[str, bool]:
    """The gates that Kubernetes knows, as the FeatureGate of the same cluster has them."""
    enabled, disabled = resolved(cluster)
    return {
        gate.name: gate.name in enabled for gate in cluster.line.gates if gate.name in enabled or gate.name in disabled
    }


def apis(cluster: Cluster) -> tuple[str, ...]:
    on = settings(cluster)
    return tuple(gate.api for gate in cluster.line.gates if gate.api and on.get(gate.name))


def gates_flag(program: str) -> Flag:
    return flag(
        "--feature-gates",
        lambda c, n: ",".join(f"{name}={str(on).lower()}" for name, on in settings(c).items()),
        f"The gates of the release's feature set that Kubernetes itself has, so that {program} behaves as the one "
        "its operator starts later. OpenShift's other gates are left out: upstream's programs exit at an unknown "
        "name.",
        breaks="objects written during bootstrap are handled by other rules than after the pivot",
        source=source("api", "payload-manifests/featuregates; ") + kubernetes("pkg/features"),
    )
