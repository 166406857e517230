"""THE TABLE of bootkube's stages, in their order; what a render reads and writes is computed from its row."""

from __future__ import annotations

from difflib import get_close_matches

from hardway.bootkube.renders import rendered
from hardway.bootkube.row import Stage
from hardway.lines.sources import source
from hardway.model.errors import ConfigError
from hardway.model.why import because
from hardway.render.operators.row import OPT, SOURCE

MANIFESTS = "/etc/kubernetes/manifests"
CLUSTER_BOOTSTRAP = source("cluster-bootstrap", "pkg/start")


def _resolved(number: str, name: str, host: str) -> Stage:
    return Stage(
        number=number,
        name=name,
        why=because(
            f"Looks up whether {host} has an address. The result is logged, and a missing address is no error.",
            breaks="a missing record is noticed only when masters do not come",
            source=SOURCE,
        ),
        reads=("DNS",),
        marker=f"{name}.done",
        lab="with getent, since the node has no dig",
    )


def _answers(number: str, name: str, host: str) -> Stage:
    return Stage(
        number=number,
        name=name,
        why=because(
            f"Requests /readyz from {host}. The answer is logged, and a failure is no error.",
            breaks="a load balancer without a working backend is noticed late",
            source=SOURCE,
        ),
        reads=(f"https://{host}.DOMAIN:6443/readyz",),
        marker=f"{name}.done",
    )


TABLE: tuple[Stage, ...] = (
    Stage(
        number="0",
        name="release-info",
        why=because(
            "Reads the versions of the release and of Kubernetes, and every image, from the release image, by digest.",
            breaks="no operator can be run: images are known by name alone",
            source=SOURCE,
        ),
        waits="release-image.service, which pulls the release image and retries without limit",
        reads=("the release image",),
        lab="what stage 04 recorded of the same release is read",
    ),
    Stage(
        number="1",
        name="openshift-manifests",
        why=because(
            "Puts the manifests of openshift/ among those of manifests/: one folder is rendered from and created.",
            breaks="no render finds the FeatureGate",
            source=SOURCE,
        ),
        reads=(f"{OPT}/openshift/*",),
        writes=(f"{OPT}/manifests/",),
        marker="openshift-manifests.done",
    ),
    rendered("2", "api-bootstrap"),
    rendered("3", "config-bootstrap"),
    rendered("4", "cvo-bootstrap"),
    rendered("5", "etcd-bootstrap"),
    rendered("6", "kube-apiserver-bootstrap"),
    rendered("7", "kube-controller-manager-bootstrap"),
    rendered("8", "kube-scheduler-bootstrap"),
    rendered("9", "ingress-operator-bootstrap"),
    rendered("10", "node-tuning-bootstrap"),
    rendered("11", "mco-bootstrap"),
    _resolved("11b", "api-dns-resolved", "api"),
    _resolved("11c", "api-int-dns-resolved", "api-int"),
    rendered("12", "cco-bootstrap"),
    Stage(
        number="13",
        name="wait-for-etcd",
        why=because(
            "Waits until the etcd member that stage 5 started is healthy.",
            breaks="the API server would start, fail and restart in the meantime",
            source=SOURCE,
        ),
        waits="etcd on this machine: etcdctl endpoint health, every 5 s",
        reads=(f"{OPT}/tls/etcd-ca-bundle.crt", f"{OPT}/tls/etcd-client.{{crt,key}}"),
    ),
    Stage(
        number="14",
        name="cb-bootstrap",
        why=because(
            "cluster-bootstrap: secrets, then all static pods at once, then every manifest by name, created and never "
            "changed, with its status where the object has none.",
            breaks="pods were rendered and none runs; the API would be empty",
            source=CLUSTER_BOOTSTRAP,
        ),
        waits="the API server on this machine, 20 minutes at most; types and namespaces that CVO brings",
        reads=(f"{OPT}/tls/*", f"{OPT}/auth/kubeconfig-loopback", f"{OPT}/bootstrap-manifests/*", f"{OPT}/manifests/*"),
        writes=("/etc/kubernetes/bootstrap-secrets/", f"{MANIFESTS}/", "the API"),
        marker="cb-bootstrap.done",
        lab="the release has no such program: files are copied from outside, and bootkube.service creates the "
        "manifests",
    ),
    Stage(
        number="14b",
        name="required-pods",
        why=because(
            "cluster-bootstrap's last part: the masters' own API server, scheduler, controller-manager and CVO.",
            breaks="the temporary control plane would stop before the masters have one",
            source=CLUSTER_BOOTSTRAP,
        ),
        waits="those pods to be Ready, 20 minutes; in a highly available cluster two revisions of each",
        reads=("the API",),
        lab="bootkube.service waits for them: it is stage 12 of this project, and beyond this road",
    ),
    Stage(
        number="15",
        name="cvo-overrides",
        why=because(
            "Hands back to CVO the objects that the installer created, by a merge patch through api-int, and removes "
            "the machine-config server's pod.",
            breaks="CVO never manages those objects, and the cluster cannot be updated",
            source=SOURCE,
        ),
        waits="api-int, every 10 s",
        reads=(f"{OPT}/original_cvo_overrides.patch", f"{OPT}/auth/kubeconfig"),
        writes=("ClusterVersion version", f"{MANIFESTS}/ without machineconfigoperator-bootstrap-pod.yaml"),
        marker="cvo-overrides.done",
    ),
    Stage(
        number="16",
        name="wait-for-ceo",
        why=because(
            "Waits until the etcd operator reports that etcd runs in the cluster.",
            breaks="the bootstrap node could be removed while it has the only copy of the data",
            source=SOURCE,
        ),
        waits="condition EtcdRunningInCluster of Etcd cluster",
        reads=(f"{OPT}/auth/kubeconfig",),
        lab="asked with oc; it is stage 12 of this project, and beyond this road",
    ),
    _answers("16b", "api-dns-check", "api"),
    _answers("16c", "api-int-dns-check", "api-int"),
    Stage(
        number="17",
        name="done",
        why=because(
            "The last marker: the loop that approves requests stops, and the end of the bootstrap may be reported.",
            breaks="bootkube.service would begin again at every boot",
            source=SOURCE,
        ),
        writes=(f"{OPT}/.bootkube.done",),
        marker=".bootkube.done",
        lab="written by bootkube.service when the masters run the control plane: beyond this road",
    ),
)
BY_NAME = {row.name: row for row in TABLE}


def find(text: str) -> Stage:
    """By name or number; an operator's name is its stage."""
    found = next((r for r in TABLE if text in (r.name, r.number) or (r.operator and text == r.operator)), None)
    if found:
        return found
    near = get_close_matches(text, BY_NAME, n=1)
    hint = f"did you mean {near[0]}?" if near else "`hardway bootkube --list` names them"
    raise ConfigError(f"{text}: bootkube has no such stage.\n    fix: {hint}")
