"""Where the lab release differs from one of Red Hat's, one row each, with the reason. The command prints them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from hardway.lines.default import DEFAULT


@dataclass(frozen=True, slots=True, kw_only=True)
class Deviation:
    subject: str
    kind: Literal["image", "manifest", "release"]
    why: str

    @property
    def address(self) -> str:
        words = re.sub(r"[^a-z0-9]+", "-", self.subject.lower()).strip("-")
        return f"deviation/{self.kind}/{words}"

    def as_dict(self) -> dict[str, str]:
        return {"kind": self.kind, "subject": self.subject, "why": self.why}


NO_MODULE = f"no version of the {DEFAULT.minor} line is published as a Go module"
NO_HOST = "it works on a host of Red Hat Enterprise Linux CoreOS, and a lab node is a Debian"
NO_PLATFORM = "platform none has no addresses to move: nothing starts it"
SIDECAR = "checks who reads a program's metrics; nothing in the lab reads them"
NO_LOGIN = "users' logins are no part of the lab: certificates and tokens are"

# Image-for names that are answered with the pause image: it starts, does nothing, and stops when told to.
STAND_INS: dict[str, str] = {
    "baremetal-runtimecfg": NO_PLATFORM,
    "cluster-authentication-operator": NO_LOGIN,
    "cluster-bootstrap": f"{NO_MODULE}; the bootstrap script does its work with kubectl",
    "cluster-dns-operator": f"{NO_MODULE} that compiles",
    "cluster-ingress-operator": NO_MODULE,
    "cluster-kube-controller-manager-operator": NO_MODULE,
    "cluster-kube-scheduler-operator": NO_MODULE,
    "cluster-network-operator": f"{NO_MODULE} that compiles; the bridge plugin and kube-proxy are the lab's network",
    "coredns": "DNS in the cluster is the work of its operator, which the lab does not have",
    "haproxy-router": "routes are the work of the ingress operator, which the lab does not have",
    "keepalived-ipfailover": NO_PLATFORM,
    "oauth-apiserver": NO_LOGIN,
    "oauth-proxy": SIDECAR,
    "oauth-server": NO_LOGIN,
    "rhel-coreos": NO_HOST,
    "rhel-coreos-extensions": NO_HOST,
}
OTHER_SET = "its program is in the set `operators` only"
UNKNOWN = "a manifest names it, and the lab has no program for it"

RELEASE: tuple[Deviation, ...] = (
    Deviation(
        kind="release",
        subject="version",
        why=f"{DEFAULT.release} with the suffix lab: all parts agree on it, and it cannot be confused with Red Hat's "
        f"{DEFAULT.release}",
    ),
    Deviation(
        kind="release",
        subject="boot images",
        why="there is no ConfigMap coreos-bootimages: a lab node boots no disk image, so there is no true address",
    ),
    Deviation(kind="release", subject="signature", why="the release is your own: nobody has signed it"),
    Deviation(
        kind="release",
        subject="layers",
        why="they are not compressed: on one machine, copying them costs less than unpacking them on every node",
    ),
    Deviation(
        kind="image", subject="cli", why="oc is kubectl under another name: what is OpenShift's own in oc is missing"
    ),
    Deviation(
        kind="image", subject="etcd", why="it is upstream's program: OpenShift's fork is not published as a Go module"
    ),
    Deviation(
        kind="image",
        subject="kube-rbac-proxy",
        why="it is upstream's program: OpenShift's fork is not published as a Go module",
    ),
    Deviation(
        kind="image",
        subject="etcd, discover-etcd-initial-cluster",
        why="a program of OpenShift's etcd image that tells a new member which members to join: the lab has a small "
        "one of its own. A member that has data gets its answer without asking the others, because it may be the "
        "majority itself",
    ),
    Deviation(
        kind="image",
        subject="etcd, grpc-proxy",
        why="upstream's refuses client certificates with a common name (`cert has non empty Common Name`), and the "
        "operator's have one: a program of the lab serves the metrics on that port, with that certificate",
    ),
    Deviation(
        kind="image",
        subject="hyperkube, hyperkube",
        why="a script that runs the program it is given first, as OpenShift's does: the operators' pods call "
        "`hyperkube kube-apiserver …`, and upstream has no such program any more",
    ),
    Deviation(
        kind="image",
        subject="every image, /bin/sh",
        why="it is bash, which Debian's is not: scripts in the operators' pods say `set -o pipefail`",
    ),
    Deviation(
        kind="image",
        subject="machine-config-operator, its daemon",
        why="the real one, on a Debian without ostree: it validates files and units and reports, and never replaces "
        "the operating system. Whenever it starts on a master it is Degraded for a moment, because ostree is missing",
    ),
    Deviation(
        kind="manifest",
        subject="0000_10_machine-api_01_machines-*.crd.yaml",
        why="the type of machines without the operator that brings it: the etcd operator asks for their list, which "
        "is empty here, before it adds a member",
    ),
    Deviation(
        kind="manifest",
        subject="0000_90_hardway-lab_*",
        why="the lab's own small operator reports on components that no real operator of the set manages",
    ),
    Deviation(
        kind="manifest",
        subject="service.beta.openshift.io/serving-cert-secret-name",
        why="in the set `core` the lab's operator makes the Secrets that Services request from service-ca, CVO's own "
        "among them; each certificate is self-signed, because nothing in the lab verifies it",
    ),
    Deviation(
        kind="manifest",
        subject="Scheduler cluster, mastersSchedulable",
        why="the lab's operator opens masters to workloads where there are no workers, as the machine-config "
        "controller does, which the set `core` does not have",
    ),
    Deviation(
        kind="manifest",
        subject="0000_00_hardway-lab_01_*.crd.yaml",
        why="types of monitoring, of the storage migrator and of the cloud credential operator, with any content: "
        "nothing acts on their objects",
    ),
    Deviation(
        kind="manifest",
        subject="0000_00_hardway-lab_00_*, 0000_12_hardway-lab_*",
        why="namespaces and empty configuration objects that images outside the lab would bring",
    ),
)


def stand_in(name: str, *, other_set: bool) -> Deviation:
    return Deviation(kind="image", subject=name, why=OTHER_SET if other_set else STAND_INS.get(name, UNKNOWN))
