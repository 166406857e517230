"""Stage 17, wherever the cluster runs: a workload out of the release, and kubectl as the administrator."""

from __future__ import annotations

from hardway.checks.live import table
from hardway.checks.live.given import Given, Workload
from hardway.drive.live import ADMIN, LiveCluster
from hardway.model.check import Report
from hardway.model.cluster import Cluster
from hardway.model.entropy import SystemEntropy
from hardway.places.kubectl import Kubectl, administrator
from hardway.tools.run import attempt

VENDOR, LAB = "tools", "hardway-lab-operator"
"""Images of a release. A vendor's has the first, with ncat and curl; the lab's has the other, with Python and curl, and
every node of a lab knows it already."""
PORT, WORD = 8080, "the-cluster-answers"
PAGE = "/tmp/www/index.html"  # noqa: S108  (in the pod)
PODS = 300.0
"""Seconds for the workload's pods, whose image may have to be pulled. After a power cut the policy controller waits
137 s for its own lease to end, asks every 26 s, and no new namespace has a range of user ids before that."""
ANSWER = f"printf 'HTTP/1.0 200 OK\\r\\n\\r\\n'; cat {PAGE}"
SERVE = f"""mkdir /tmp/www && echo {WORD} >{PAGE}
if command -v python3; then exec python3 -m http.server {PORT} --directory /tmp/www; fi
exec ncat --listen --keep-open {PORT} --sh-exec "{ANSWER}"
"""


def workload(cluster: Cluster) -> Workload:
    images = cluster.release.images
    return Workload(
        image=cluster.release.image_for(LAB if LAB in images and VENDOR not in images else VENDOR),
        command=("sh", "-c", SERVE),
        port=PORT,
        word=WORD,
        inside=("cat", PAGE),
        fetch=("curl", "--silent", "--show-error", "--max-time", "5"),
    )


def given(live: LiveCluster, kubectl: Kubectl, *, seconds: float = PODS) -> Given:
    now = SystemEntropy().now()
    return Given(live=live, now=now, workload=workload(live.cluster), kubectl=kubectl, seconds=seconds)


def verify(live: LiveCluster) -> Report:
    words = administrator(live.cluster, live.assets / ADMIN)
    return table.verify(given(live, lambda asked: attempt([*words, *asked])))
