"""Stage 17 in the lab: a workload out of the lab release, and kubectl as the administrator on the lab's own network."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hardway.checks.live import table
from hardway.checks.live.given import Given, Workload
from hardway.drive.live import ADMIN, LiveCluster
from hardway.lab import network
from hardway.lab.paths import BALANCER
from hardway.lab.prepared import Prepared
from hardway.model.check import Report
from hardway.model.cluster import in_url
from hardway.model.entropy import SystemEntropy
from hardway.tools.run import Done, attempt
from hardway.workspace.names import ASSETS

IMAGE = "hardway-lab-operator"  # it has Python, curl and a shell, and every node knows it already
PORT, WORD = 8080, "the-lab-answers"
PAGE = "/tmp/www/index.html"  # noqa: S108  (in the pod)
PODS = 300.0
"""Seconds for the workload's pods. After a power cut the policy controller waits 137 s for its own lease to end, asks
every 26 s, and no new namespace has a range of user ids before that."""
SERVE = f"mkdir /tmp/www && echo {WORD} >{PAGE} && exec python3 -m http.server {PORT} --directory /tmp/www"


def workload(prepared: Prepared) -> Workload:
    return Workload(
        image=prepared.cluster.release.image_for(IMAGE),
        command=("sh", "-c", SERVE),
        port=PORT,
        word=WORD,
        inside=("cat", PAGE),
        fetch=("curl", "--silent", "--show-error", "--max-time", "5"),
    )


def kubectl(prepared: Prepared) -> Callable[[Sequence[str]], Done]:
    """Where the load balancer is: the name of the API need not mean anything on the machine itself."""
    address = f"https://{in_url(prepared.cluster.api_vips[0])}:6443"
    options = [f"--kubeconfig={prepared.folder / ASSETS / ADMIN}", f"--server={address}"]
    options.append(f"--tls-server-name={prepared.cluster.api_host}")
    program = str(prepared.materials.programs["kubectl"])
    return lambda words: attempt(network.command(prepared.paths, BALANCER, [program, *options, *words]))


def given(prepared: Prepared, live: LiveCluster, *, seconds: float = PODS) -> Given:
    return Given(
        live=live,
        now=SystemEntropy().now(),
        workload=workload(prepared),
        kubectl=kubectl(prepared),
        seconds=seconds,
    )


def verify(prepared: Prepared, live: LiveCluster) -> Report:
    return table.verify(given(prepared, live))
