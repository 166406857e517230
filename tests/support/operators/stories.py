"""What the real operators do in a cluster as the notes would have it, and after each obstacle is taken away.

Each story is told once, and what was seen is written down: tests read it.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from cryptography import x509
from cryptography.hazmat.primitives import hashes

from hardway.checks.live import signers as final_signers
from hardway.checks.live.given import Given, Workload
from hardway.drive.client import Trouble, path
from hardway.drive.etcd import Member
from hardway.drive.live import open_cluster
from hardway.drive.machines import Machines
from hardway.manifests.handover import NOT_AFTER
from tests.support.etcd_servers import etcd_at
from tests.support.operators import ground as operators
from tests.support.operators.ground import ETCD, KUBE_APISERVER, Ground
from tests.support.waiting import until

MAPS, SECRETS, PODS, NODES = "/api/v1/configmaps", "/api/v1/secrets", "/api/v1/pods", "/api/v1/nodes"
NETWORK = "/apis/config.openshift.io/v1/networks/cluster"
API_SERVER = "/apis/operator.openshift.io/v1/kubeapiservers/cluster"
MANAGED, TARGET = "openshift-config-managed", "openshift-kube-apiserver"
MACHINES = "machines.machine.openshift.io"
MIGRATIONS, RULES = "storageversionmigrations.migration.k8s.io", "prometheusrules.monitoring.coreos.com"
LOAD_BALANCER = ("openshift-kube-apiserver-operator", "loadbalancer-serving-signer")
ETCD_SIGNER = ("openshift-etcd", "etcd-signer")
MINTED = ("external-loadbalancer-serving-certkey", "service-network-serving-certkey")
FOREIGN = "made by hand"
SYMPTOMS = ("GetServiceCIDRFailed", "TargetConfigDeleted", "sa-token-signing-certs-", MIGRATIONS, "prometheusrules")
SECONDS = 600  # writers of one object meet, and wait longer each time before they try again

Object = Mapping[str, Any]
Wrong = tuple[str, str]  # what it is about, and what is wrong with it


@dataclass
class Story:
    """The log up to the moment when everything that was missing is put in place, and what was seen then and later."""

    before: str = ""
    seen: dict[str, Any] = field(default_factory=dict)
    problems: list[Wrong] = field(default_factory=list)  # of the hand-made signers, all annotations in place
    replaced: list[Wrong] = field(default_factory=list)  # after one annotation was taken away


def signers_of(at: Ground, now: datetime | None = None) -> list[Wrong]:
    """Stage 17's check of the signers."""
    return [(flaw.subject, flaw.message) for flaw in final_signers.survived(final(at, now))]


def final(at: Ground, now: datetime | None = None, seconds: float = 180.0) -> Given:
    """What a check of stage 17 is given, where only the API is looked at."""
    reach = (at.cluster.bootstrap.address,)
    live = open_cluster(at.cluster, at.workspace.store.root, cast(Machines, None), reach=reach)
    workload = Workload(image="", command=(), port=0, word="", inside=())
    when = now or datetime.now(UTC)
    return Given(live=live, now=when, workload=workload, kubectl=lambda argv: _nobody(), seconds=seconds)


def _nobody() -> Any:
    raise AssertionError("nothing is run in a pod")


def kube_apiserver(folder: Path) -> Story:
    """Without the types of others, a status of the network, and what the controller-manager operator would make."""
    story = Story()
    with operators.ground(folder, without=(MIGRATIONS, RULES)) as at:
        network = _get(at, NETWORK)
        alone = at.api.patch(f"{NETWORK}/status", {"status": network["status"]})
        story.seen["status alone"] = alone.kind if isinstance(alone, Trouble) else ""
        at.api.patch(NETWORK, {"status": None})
        taken = [_take(at, MANAGED, name) for name in ("csr-controller-ca", "sa-token-signing-certs")]
        _put(at, {**taken[0], "metadata": {"name": "kubelet-serving-ca", "namespace": MANAGED}, "data": {"x": FOREIGN}})
        with operators.operator(at, KUBE_APISERVER) as log:
            symptoms = (
                "GetServiceCIDRFailed",
                "TargetConfigDeleted",
                "sa-token-signing-certs-0",
                MIGRATIONS,
                RULES[:15],
            )
            _wait(lambda: all(word in log.read_text() for word in symptoms), log)
            for body in operators.types():  # what is tried again and again without them keeps the rest from its turn
                if body["metadata"]["name"] in (MIGRATIONS, RULES):
                    _put(at, body)
            _wait(lambda: _get(at, API_SERVER)["spec"].get("observedConfig"), log)
            story.before = log.read_text()
            story.seen["subnet before"] = _get(at, API_SERVER)["spec"]["observedConfig"].get("servicesSubnet")
            story.seen["kubelet-serving-ca before"] = _map(at, MANAGED, "kubelet-serving-ca")
            at.api.patch(NETWORK, {"status": network["status"]})
            for one in taken:
                _put(at, one)
            _wait(lambda: _map(at, MANAGED, "kubelet-serving-ca"), log)
            _wait(lambda: _map(at, TARGET, "sa-token-signing-certs"), log)
            _wait(lambda: _get(at, API_SERVER)["spec"]["observedConfig"].get("servicesSubnet"), log)
            story.seen["subnet"] = _get(at, API_SERVER)["spec"]["observedConfig"]["servicesSubnet"]
            story.seen["kubelet-serving-ca"] = _map(at, MANAGED, "kubelet-serving-ca")
            story.seen["csr-controller-ca"] = taken[0]["data"]
            _wait(lambda: all(at.secret(TARGET, name) for name in MINTED), log)
            story.seen["names"] = {name: _names(at.secret(TARGET, name)) for name in MINTED}
            story.seen["masters"] = {node.address for node in at.cluster.masters}
            _forget(at, LOAD_BALANCER, story, log)
    return story


def etcd(folder: Path) -> Story:
    """Without the type of machines; one master's etcd has begun, and waits for its place on the list."""
    story = Story()
    with operators.ground(folder, without=(MACHINES,)) as at:
        for node in at.cluster.masters:
            _register(at, node.name, node.address)
        _waiting_pod(at)
        with operators.operator(at, ETCD) as log:
            _wait(lambda: "failed to list *v1beta1.Machine" in log.read_text(), log)
            _wait(lambda: at.secret("openshift-etcd", "etcd-peer-master-0"), log)
            story.before = log.read_text()
            story.seen["members before"] = _members(at)
            _put(at, next(body for body in operators.types() if body["metadata"]["name"] == MACHINES))
            _wait(lambda: len(_members(at)) > 1, log)
            story.seen["members"] = _members(at)
            story.seen["master"] = at.cluster.masters[0].address
            _wait(lambda: at.secret("openshift-etcd-operator", "etcd-client")["data"]["tls.crt"], log)
            story.seen["client"] = at.secret("openshift-etcd-operator", "etcd-client")["data"]["tls.crt"]
            story.seen["our client"] = at.secret("openshift-etcd", "etcd-client")["data"]["tls.crt"]
            _forget(at, ETCD_SIGNER, story, log)
    return story


def elliptic(folder: Path) -> str:
    """What the operator says of signers that have keys on a curve."""
    words = "CertRotationController reconciliation failed: x509: requested SignatureAlgorithm does not match"
    with operators.ground(folder, keys="ecdsa-p256") as at, operators.operator(at, KUBE_APISERVER) as log:
        _wait(lambda: words in log.read_text(), log)
        return log.read_text()


def _forget(at: Ground, place: tuple[str, str], story: Story, log: Path) -> None:
    """One annotation goes, while the operator looks on."""
    story.problems = signers_of(at)
    ours = fingerprint(at.secret(*place))
    patch = {"metadata": {"annotations": {NOT_AFTER: None}}}
    at.api.patch(path(SECRETS, place[1], namespace=place[0]), patch)
    _wait(lambda: fingerprint(at.secret(*place)) != ours, log)
    story.seen["fingerprints"] = (ours, fingerprint(at.secret(*place)))
    _wait(lambda: f'"{place[1]}" in "{place[0]}" requires a new signing cert/key pair' in log.read_text(), log)
    story.replaced = signers_of(at)


def fingerprint(secret: Object) -> str:
    return _certificate(secret).fingerprint(hashes.SHA256()).hex()[: final_signers.SHOWN]


def _certificate(secret: Object) -> x509.Certificate:
    return x509.load_pem_x509_certificates(b64decode(secret["data"]["tls.crt"]))[0]


def _names(secret: Object) -> set[str]:
    names = _certificate(secret).extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return {*names.get_values_for_type(x509.DNSName), *map(str, names.get_values_for_type(x509.IPAddress))}


def _members(at: Ground) -> tuple[Member, ...]:
    found = etcd_at(at.workspace, at.cluster.bootstrap).members()
    assert not isinstance(found, Trouble), found
    return found


def _get(at: Ground, where: str) -> Object:
    found = at.api.get(where)
    assert not isinstance(found, Trouble), found
    return found


def _map(at: Ground, namespace: str, name: str) -> Mapping[str, str]:
    found = at.api.get(path(MAPS, name, namespace=namespace))
    return {} if isinstance(found, Trouble) else found.get("data") or {}


def _take(at: Ground, namespace: str, name: str) -> Object:
    """Away with it; what it was, to be put back."""
    found = at.api.get(path(MAPS, name, namespace=namespace))
    assert not isinstance(found, Trouble), found
    at.api.delete(path(MAPS, name, namespace=namespace))
    about = {"name": name, "namespace": namespace}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": about, "data": found["data"]}


def _put(at: Ground, body: Object) -> None:
    at.create(body)


def _register(at: Ground, name: str, address: str) -> None:
    labels = {"node-role.kubernetes.io/master": ""}
    at.create({"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": labels}})
    at.api.patch(f"{NODES}/{name}/status", {"status": {"addresses": [{"type": "InternalIP", "address": address}]}})


def _waiting_pod(at: Ground) -> None:
    """The first master's, as a kubelet reports it: it runs, and is not ready."""
    node = at.cluster.masters[0]
    name = f"etcd-{node.name}"
    about = {
        "name": name,
        "namespace": "openshift-etcd",
        "labels": {"app": "etcd", "etcd": "true", "k8s-app": "etcd"},
        "annotations": {"kubernetes.io/config.mirror": "x"},
    }
    spec = {
        "nodeName": node.name,
        "hostNetwork": True,
        "containers": [{"name": "etcd", "image": "x"}],
        "tolerations": [{"operator": "Exists"}],
    }
    at.create({"apiVersion": "v1", "kind": "Pod", "metadata": about, "spec": spec})
    runs = {"name": "etcd", "image": "x", "imageID": "", "ready": False, "restartCount": 0, "state": {"running": {}}}
    status = {"phase": "Running", "podIP": node.address, "containerStatuses": [runs]}
    at.api.patch(path(PODS, name, namespace="openshift-etcd", sub="status"), {"status": status})


def _wait(what: Callable[[], object], log: Path) -> None:
    until(lambda: bool(what()), log.read_text, seconds=SECONDS)
