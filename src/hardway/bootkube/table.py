"""THE TABLE of bootkube's stages, in their order; what a render reads and writes is computed from its row."""

from __future__ import annotations

from difflib import get_close_matches

from hardway.bootkube.operators.row import OPT, SOURCE
from hardway.bootkube.renders import rendered
from hardway.bootkube.row import Stage
from hardway.lines.sources import source
from hardway.model.errors import ConfigError
from hardway.model.why import because

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
        command=f"resolves ${{{host}}}",
        marker=f"{name}.done",
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
        command=f"answers ${{{host}}}",
        marker=f"{name}.done",
    )


TABLE: tuple[Stage, ...] = (
    Stage(
        number="0",
        name="release-info",
        why=because(
            "Reads the release's own list of images from the release image. The images themselves are written into the "
            "script by digest: stage 04 has read them from the same list.",
            breaks="the machine-config operator's render: no such file image-references",
            source=SOURCE,
        ),
        waits="the release image; the unit tries again without limit",
        reads=("the release image",),
        writes=(f"{OPT}/image-references",),
        command="release_info ${release} ${version} ${kubernetes}",
    ),
    Stage(
        number="1",
        name="openshift-manifests",
        command="openshift_manifests",
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
        command="wait_for_etcd",
        why=because(
            "Waits until the etcd member that stage 5 started is healthy.",
            breaks="the API server would start, fail and restart in the meantime",
            source=SOURCE,
        ),
        waits="etcd on this machine: its /health, every 2 s",
        reads=(f"{OPT}/tls/etcd-ca-bundle.crt", f"{OPT}/tls/etcd-client.{{crt,key}}"),
    ),
    Stage(
        number="14",
        name="cb-bootstrap",
        command="cluster_bootstrap",
        why=because(
            "The work of the program cluster-bootstrap, done by the script: secrets, then all static pods at once, "
            "then every manifest, created and never changed, with its status where the object has none.",
            breaks="pods were rendered and none runs; the API would be empty",
            source=CLUSTER_BOOTSTRAP,
        ),
        waits="the API server on this machine, 20 minutes at most; types and namespaces that CVO brings",
        reads=(f"{OPT}/tls/*", f"{OPT}/auth/kubeconfig-loopback", f"{OPT}/bootstrap-manifests/*", f"{OPT}/manifests/*"),
        writes=("/etc/kubernetes/bootstrap-secrets/", f"{MANIFESTS}/", "the API"),
        marker="cb-bootstrap.done",
    ),
    Stage(
        number="14b",
        name="required-pods",
        command="masters_carry",
        why=because(
            "cluster-bootstrap's last part: the masters' own API server, scheduler, controller-manager and CVO.",
            breaks="the temporary control plane would stop before the masters have one",
            source=CLUSTER_BOOTSTRAP,
        ),
        waits="those pods to be Ready, 20 minutes; in a highly available cluster two revisions of each",
        reads=("the API",),
        lab="the unit waits for these pods, which stage 12 would start; `road: rendered` ends with stage 11",
    ),
    Stage(
        number="15",
        name="cvo-overrides",
        command="cvo_overrides",
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
        command="wait_for_ceo",
        why=because(
            "Waits until the etcd operator reports that etcd runs in the cluster.",
            breaks="the bootstrap node could be removed while it has the only copy of the data",
            source=SOURCE,
        ),
        waits="condition EtcdRunningInCluster of Etcd cluster",
        reads=(f"{OPT}/auth/kubeconfig",),
        lab="not reached: this is part of stage 12, and `road: rendered` ends with stage 11",
    ),
    _answers("16b", "api-dns-check", "api"),
    _answers("16c", "api-int-dns-check", "api-int"),
    Stage(
        number="17",
        name="done",
        command="finished",
        why=because(
            "The last marker: the loop that approves requests stops, and the end of the bootstrap may be reported.",
            breaks="bootkube.service would begin again at every boot",
            source=SOURCE,
        ),
        writes=(f"{OPT}/.bootkube.done",),
        marker=".bootkube.done",
        lab="not reached: it is written when the masters run the control plane, and `road: rendered` ends with stage "
        "11",
    ),
)
BY_NAME = {row.name: row for row in TABLE}


def chosen(*, only: Stage | None = None, first: Stage | None = None, last: Stage | None = None) -> tuple[Stage, ...]:
    if only:
        return (only,)
    begin = TABLE.index(first) if first else 0
    end = TABLE.index(last) + 1 if last else len(TABLE)
    return TABLE[begin:end]


def find(text: str) -> Stage:
    """By name or number; an operator's name is its stage."""
    found = next((r for r in TABLE if text in (r.name, r.number) or (r.operator and text == r.operator)), None)
    if found:
        return found
    near = get_close_matches(text, BY_NAME, n=1)
    hint = f"did you mean {near[0]}?" if near else "`hardway bootkube --list` names them"
    raise ConfigError(f"{text}: bootkube has no such stage.\n    fix: {hint}")
