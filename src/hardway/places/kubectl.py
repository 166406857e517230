"""kubectl as the administrator, through the load balancer of a running cluster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from hardway.model.cluster import Cluster, in_url
from hardway.model.errors import ToolError
from hardway.staticpods.apiserver.serving import PORT
from hardway.tools.run import Done, have

Kubectl = Callable[[Sequence[str]], Done]
PROGRAMS = ("kubectl", "oc")


def as_administrator(cluster: Cluster, config: Path) -> list[str]:
    """kubectl's options: it connects where the load balancer is, whatever names mean here."""
    address = f"https://{in_url(cluster.api_vips[0])}:{PORT}"
    return [f"--kubeconfig={config}", f"--server={address}", f"--tls-server-name={cluster.api_host}"]


def administrator(cluster: Cluster, config: Path) -> list[str]:
    """The command line of this machine's kubectl or oc, up to its words."""
    program = next((name for name in PROGRAMS if have(name)), None)
    if program is None:
        fix = "install kubectl or oc, and put it on PATH"
        raise ToolError(f"kubectl: neither kubectl nor oc was found.\n    fix: {fix}")
    return [program, *as_administrator(cluster, config)]
