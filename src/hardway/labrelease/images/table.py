"""The images of the lab release: one row an image-for name, as a payload has them, and what is in it.

A layer holds one thing: the base, one program, or one set of files. Images that share a program share its layer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from hardway.model.why import Why, because

Set = Literal["core", "operators"]
SETS: tuple[Set, ...] = ("core", "operators")


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A program of a component, and what it is called in the image."""

    component: str
    name: str
    called: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return self.called or (self.name,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Data:
    """A folder of a component's module, and where it is in the image."""

    component: str
    folder: str
    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Own:
    """Small files of this project: a row of `images_files.py`."""

    name: str


Part = Program | Data | Own


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    name: str
    parts: tuple[Part, ...]
    why: Why
    sets: tuple[Set, ...] = SETS
    on_base: bool = True
    user: str = ""  # root, if it does not say; only an image from a checkout names one
    entrypoint: tuple[str, ...] = ()
    command: tuple[str, ...] = ()  # its arguments, unless a pod gives others
    operator: bool = False  # brings manifests to the payload, and says so by a label


def _programs(component: str, *names: str) -> tuple[Program, ...]:
    return tuple(Program(component=component, name=name) for name in names)


def _operator(name: str, *data: Data, sets: tuple[Set, ...] = ("operators",), what: str) -> Image:
    parts: tuple[Part, ...] = (*_programs(name, name), *data)
    return Image(name=name, parts=parts, sets=sets, operator=True, why=because(what))


def _bootkube(component: str, *folders: str) -> tuple[Data, ...]:
    """What an operator renders the bootstrap machine's files from, where its program looks for it."""
    target = "usr/share/bootkube/manifests"
    return tuple(
        Data(component=component, folder=f"bindata/bootkube/{name}", target=f"{target}/{name}") for name in folders
    )


_KUBERNETES = ("kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubelet", "kubectl", "watch-termination")
_MCO = "machine-config-operator"
_CVO = "cluster-version-operator"
_ETCD_OPERATOR = "cluster-etcd-operator"
_API_OPERATOR = "cluster-kube-apiserver-operator"

# The release image has these parts too, below its payload: it is CVO's image with a layer more.
RELEASE_PARTS: tuple[Part, ...] = (
    *_programs(_CVO, _CVO),
    Data(component=_CVO, folder="bootstrap", target="bootstrap"),
    Data(component=_CVO, folder="install", target="manifests"),
    Own(name="clusterversion-crds"),
)
RELEASE_ENTRYPOINT = (f"/usr/bin/{_CVO}",)

TABLE: tuple[Image, ...] = (
    Image(
        name="hyperkube",
        parts=(*_programs("kubernetes", *_KUBERNETES), Own(name="hyperkube")),
        why=because(
            "The control plane and the kubelet. Pods call `hyperkube kube-apiserver …`: a dispatcher, which runs "
            "the program named by its first argument.",
            breaks='the API server says: "kube-apiserver" does not take any arguments',
        ),
    ),
    Image(
        name="kube-proxy",
        parts=_programs("kubernetes", "kube-proxy"),
        why=because("Services on every node, with the iptables of the base."),
    ),
    Image(
        name="etcd",
        parts=(*_programs("etcd", "etcd", "etcdctl", "etcdutl"), Own(name="member")),
        why=because(
            "The cluster's store, with its two clients, which operators' pods and `lab` run in it, and two small "
            "programs that OpenShift's etcd has and upstream's has not.",
            breaks="the etcd operator's pod says: discover-etcd-initial-cluster: command not found",
        ),
    ),
    Image(
        name="pod",
        parts=(Own(name="pod"),),
        on_base=False,
        entrypoint=("/usr/bin/pod",),
        why=because(
            "Holds a pod's namespaces and sleeps. CRI-O starts it as /usr/bin/pod and every pod begins with it, so "
            "it is two small static programs of Debian's and nothing else.",
            breaks="no pod gets a sandbox",
        ),
    ),
    Image(
        name="kube-rbac-proxy",
        parts=_programs("kube-rbac-proxy", "kube-rbac-proxy"),
        entrypoint=("/usr/bin/kube-rbac-proxy",),
        why=because(
            "The static pod kube-rbac-proxy-crio of every node. The pod names no program, so the image does.",
            source="machine-config-operator templates/*/01-*-kubelet/_base/files/criometricsproxy.yaml",
        ),
    ),
    Image(
        name="cli",
        parts=(Program(component="kubernetes", name="kubectl", called=("kubectl", "oc")),),
        why=because("kubectl under both names: what the bootstrap script asks of oc, kubectl can do."),
    ),
    Image(
        name=_MCO,
        parts=(
            *_programs(_MCO, _MCO, "machine-config-controller", "machine-config-daemon", "machine-config-server"),
            Data(component=_MCO, folder="templates", target="etc/mcc/templates"),
            Data(component=_MCO, folder="install", target="manifests"),
        ),
        entrypoint=(f"/usr/bin/{_MCO}",),
        operator=True,
        why=because(
            "Renders the nodes' configuration. Its controller reads the templates at /etc/mcc/templates; the manifests "
            "that the operator itself renders are inside the program.",
            source="machine-config-operator Dockerfile, cmd/machine-config-controller",
        ),
    ),
    Image(
        name=_CVO,
        parts=RELEASE_PARTS,
        entrypoint=RELEASE_ENTRYPOINT,
        why=because("What the release image is made from; the payload is added on top of these layers."),
    ),
    Image(
        name="cluster-config-api",
        parts=(
            *_programs("api", "render", "write-available-featuresets"),
            Data(component="api", folder="payload-manifests/crds", target="manifests"),
            Data(component="api", folder="payload-manifests/crds", target="usr/share/bootkube/manifests/manifests"),
            Data(component="api", folder="payload-manifests/featuregates", target="usr/share/featuregates"),
        ),
        operator=True,
        why=because(
            "The types and feature gates, and the two programs that select among them: one for the bootstrap node, one "
            "for the config operator.",
            source="openshift/api Dockerfile.ocp",
        ),
    ),
    _operator(
        "cluster-policy-controller",
        sets=SETS,
        what="Gives namespaces their ranges of user ids, beside the controller-manager.",
    ),
    _operator(
        _ETCD_OPERATOR,
        *_bootkube(_ETCD_OPERATOR, "bootstrap-manifests", "manifests"),
        Data(component=_ETCD_OPERATOR, folder="manifests", target="manifests"),
        what="Grows etcd onto the masters. Its pods call it by name, without a path.",
    ),
    _operator(
        _API_OPERATOR,
        *_bootkube(_API_OPERATOR, "bootstrap-manifests", "config", "manifests"),
        Data(
            component=_API_OPERATOR,
            folder="bindata/bootkube/scc-manifests",
            target="usr/share/bootkube/manifests/manifests",
        ),
        Data(component=_API_OPERATOR, folder="manifests", target="manifests"),
        what="Rolls the API server out to the masters.",
    ),
    _operator(
        "cluster-config-operator",
        Data(component="cluster-config-operator", folder="manifests", target="manifests"),
        what="Keeps the status of the cluster's configuration objects.",
    ),
    _operator(
        "service-ca-operator",
        Data(component="service-ca-operator", folder="manifests", target="manifests"),
        what="Signs the serving certificates that services ask for.",
    ),
    Image(
        name="hardway-lab-operator",
        parts=(Own(name="operator"),),
        entrypoint=("/usr/bin/python3", "-m", "hardway.labrelease.operator"),
        why=because(
            "Reports on what no operator of the lab release looks after: a ClusterOperator each, from the real "
            "state. No payload of Red Hat's has an image of this name."
        ),
    ),
)


def of(chosen: Set) -> tuple[Image, ...]:
    return tuple(image for image in TABLE if chosen in image.sets)


def components(chosen: Set) -> tuple[str, ...]:
    """The components that the images and the payload of a set are made of."""
    parts = [part for image in of(chosen) for part in image.parts if not isinstance(part, Own)]
    return tuple(sorted({part.component for part in parts} | {"api"}))
