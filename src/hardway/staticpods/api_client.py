"""What the controller-manager's and the scheduler's pods have in common: clients of the API server beside them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hardway.model.cluster import Cluster, Node
from hardway.staticpods import parts
from hardway.staticpods.paths import CERT_DIR, secret, secrets_of
from hardway.staticpods.row import Flag, arguments


def pod(
    program: str,
    cluster: Cluster,
    node: Node,
    *,
    flags: tuple[Flag, ...],
    files: Mapping[str, str],
    resources: Mapping[str, Any],
    **probes: Any,
) -> dict[str, Any]:
    """`files`: by the volume's name, the file among the node's secrets. It sees those and no other."""
    container = parts.container(
        program,
        cluster.release.image_for("hyperkube"),
        command=["hyperkube", program],
        args=arguments(flags, cluster, node),
        resources=resources,
        securityContext=parts.restricted(),
        **probes,
        volumeMounts=[
            *(parts.mount(volume, secret(file)) for volume, file in files.items()),
            parts.mount("cert-dir", CERT_DIR, read_only=False),
        ],
    )
    return parts.pod(
        name=f"bootstrap-{program}" if node.role == "bootstrap" else program,
        namespace="kube-system",
        labels={"k8s-app": program},
        spec={
            "containers": [container],
            "volumes": [
                *(parts.from_host(volume, f"{secrets_of(node)}/{file}", "File") for volume, file in files.items()),
                parts.in_memory("cert-dir"),
            ],
        },
    )
