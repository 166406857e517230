"""Stage 17 on machines of their owner's: a workload out of the release, and the kubectl or oc of this machine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from hardway.checks.live import table
from hardway.checks.live.given import Given, Workload
from hardway.drive.live import ADMIN, LiveCluster
from hardway.model.check import Report
from hardway.model.cluster import Cluster, in_url
from hardway.model.entropy import SystemEntropy
from hardway.model.errors import ToolError
from hardway.staticpods.apiserver.serving import PORT as API
from hardway.tools.run import Done, attempt, have

IMAGES = ("tools", "hardway-lab-operator")
"""The first that the release has: a vendor's has `tools`, with ncat and curl; the lab's has the other, with Python."""
PROGRAMS = ("kubectl", "oc")
PORT, WORD = 8080, "the-cluster-answers"
PAGE = "/tmp/www/index.html"  # noqa: S108  (in the pod)
PODS = 300.0  # seconds for the workload's pods, whose image has to be pulled
ANSWER = f"printf 'HTTP/1.0 200 OK\\r\\n\\r\\n'; cat {PAGE}"
SERVE = f"""mkdir /tmp/www && echo {WORD} >{PAGE}
if command -v python3; then exec python3 -m http.server {PORT} --directory /tmp/www; fi
exec ncat --listen --keep-open {PORT} --sh-exec "{ANSWER}"
"""


def workload(cluster: Cluster) -> Workload:
    name = next((name for name in IMAGES if name in cluster.release.images), IMAGES[0])
    return Workload(
        image=cluster.release.image_for(name),
        command=("sh", "-c", SERVE),
        port=PORT,
        word=WORD,
        inside=("cat", PAGE),
        fetch=("curl", "--silent", "--show-error", "--max-time", "5"),
    )


def administrator(cluster: Cluster, config: Path) -> list[str]:
    """kubectl's command line, up to its words: it connects where the load balancer is, whatever names mean here."""
    program = next((name for name in PROGRAMS if have(name)), None)
    if program is None:
        fix = "install kubectl or oc, and put it on PATH"
        raise ToolError(f"kubectl: neither kubectl nor oc was found.\n    fix: {fix}")
    address = f"https://{in_url(cluster.api_vips[0])}:{API}"
    options = [f"--kubeconfig={config}", f"--server={address}"]
    return [program, *options, f"--tls-server-name={cluster.api_host}"]


def verify(live: LiveCluster) -> Report:
    words = administrator(live.cluster, live.assets / ADMIN)
    kubectl: Callable[[Sequence[str]], Done] = lambda asked: attempt([*words, *asked])  # noqa: E731  (a field's value)
    now = SystemEntropy().now()
    return table.verify(Given(live=live, now=now, workload=workload(live.cluster), kubectl=kubectl, seconds=PODS))
