"""Stage 17 in the lab: a workload out of the lab release, and kubectl as the administrator on the lab's own network."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hardway.checks.live import table
from hardway.checks.live.given import Given, Workload
from hardway.drive.live import ADMIN, World
from hardway.lab import network
from hardway.lab.ground import Ground
from hardway.lab.site import BALANCER
from hardway.model.check import Report
from hardway.model.cluster import in_url
from hardway.model.entropy import SystemEntropy
from hardway.tools.run import Done, attempt
from hardway.workspace.names import ASSETS

IMAGE = "hardway-lab-operator"  # it has Python, curl and a shell, and every node knows it already
PORT, WORD = 8080, "the-lab-answers"
PAGE = "/tmp/www/index.html"  # noqa: S108  (in the pod)
SERVE = f"mkdir /tmp/www && echo {WORD} >{PAGE} && exec python3 -m http.server {PORT} --directory /tmp/www"


def workload(ground: Ground) -> Workload:
    return Workload(
        image=ground.cluster.release.image_for(IMAGE),
        command=("sh", "-c", SERVE),
        port=PORT,
        word=WORD,
        inside=("cat", PAGE),
        fetch=("curl", "--silent", "--show-error", "--max-time", "5"),
    )


def kubectl(ground: Ground) -> Callable[[Sequence[str]], Done]:
    """Where the load balancer is: the name of the API need not mean anything on the machine itself."""
    address = f"https://{in_url(ground.cluster.api_vips[0])}:6443"
    options = [f"--kubeconfig={ground.folder / ASSETS / ADMIN}", f"--server={address}"]
    options.append(f"--tls-server-name={ground.cluster.api_host}")
    program = str(ground.materials.programs["kubectl"])
    return lambda words: attempt(network.command(ground.site, BALANCER, [program, *options, *words]))


def verify(ground: Ground, world: World, *, seconds: float = 120.0) -> Report:
    given = Given(
        world=world,
        now=SystemEntropy().now(),
        workload=workload(ground),
        kubectl=kubectl(ground),
        seconds=seconds,
    )
    return table.verify(given)
