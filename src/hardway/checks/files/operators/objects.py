"""The operators' road: what the etcd and kube-apiserver operators must find in order to take over what runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from hardway.checks.files.artifacts import Artifacts
from hardway.checks.files.expected import body
from hardway.checks.files.ignition.file import REBUILD as REBUILD_IGNITION
from hardway.checks.files.ignition.file import bootstrap
from hardway.checks.files.manifests.objects import REBUILD, config_objects, expect, identity
from hardway.checks.files.manifests.trust import SIGNERS
from hardway.checks.files.shapes import at, certificates, from_base64
from hardway.model.check import Flaw
from hardway.workspace.catalogue import MANIFESTS

Operator = Literal["etcd", "kube-apiserver"]
MANAGED, CONFIG, ETCD = "openshift-config-managed", "openshift-config", "openshift-etcd"
BUNDLE = "ca-bundle.crt"
ENVIRONMENT = "/etc/hardway/bootkube.env"
LEAVING = ("bootstrap", "kube-scheduler", "kube-controller-manager", "kube-apiserver")
"""The bootstrap node's static pods that ask its API server, or its etcd; the first is CVO's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Demand:
    """An object that an operator waits for, because nobody in this cluster makes it after the installation."""

    operator: Operator
    kind: Literal["ConfigMap", "Secret"]
    place: tuple[str, str]  # namespace and name
    keys: tuple[str, ...]
    breaks: str


def _map(operator: Operator, namespace: str, name: str, *keys: str, breaks: str) -> Demand:
    return Demand(operator=operator, kind="ConfigMap", place=(namespace, name), keys=keys, breaks=breaks)


def _secret(operator: Operator, namespace: str, name: str, *keys: str, breaks: str) -> Demand:
    return Demand(operator=operator, kind="Secret", place=(namespace, name), keys=keys, breaks=breaks)


_REVISION = "its first revision waits: missing required resources"

DEMANDS: tuple[Demand, ...] = (
    _map("etcd", ETCD, "etcd-endpoints", breaks="it asks masters where no etcd runs: no etcd members are present"),
    _map("etcd", ETCD, "etcd-ca-bundle", BUNDLE, breaks="it starts a bundle that does not trust the running member"),
    _map("etcd", ETCD, "etcd-metrics-ca-bundle", BUNDLE, breaks="it starts a bundle of its own"),
    _map("etcd", ETCD, "etcd-all-bundles", "server-ca-bundle.crt", "metrics-ca-bundle.crt", breaks=_REVISION),
    _secret("etcd", ETCD, "etcd-all-certs", breaks=_REVISION),
    _secret("etcd", ETCD, "etcd-client", "tls.crt", "tls.key", breaks="it has no client certificate for etcd"),
    _map(
        "etcd",
        "kube-system",
        "cluster-config-v1",
        "install-config",
        breaks="it does not know how many masters are planned",
    ),
    _map("kube-apiserver", MANAGED, "csr-controller-ca", BUNDLE, breaks="it deletes kubelet-serving-ca, and waits"),
    _map("kube-apiserver", MANAGED, "kubelet-bootstrap-kubeconfig", BUNDLE, breaks="new nodes are refused with 401"),
    _map("kube-apiserver", MANAGED, "sa-token-signing-certs", "service-account-001.pub", breaks=_REVISION),
    _map("kube-apiserver", CONFIG, "admin-kubeconfig-client-ca", BUNDLE, breaks="auth/kubeconfig is refused"),
    _secret(
        "kube-apiserver",
        "openshift-kube-apiserver-operator",
        "next-bound-service-account-signing-key",
        "service-account.key",
        "service-account.pub",
        breaks="it creates its own key, and the tokens that pods have are refused",
    ),
)
MADE_BY_OPERATORS = {("ConfigMap", MANAGED, "kubelet-serving-ca"): ("kube-apiserver", "csr-controller-ca")}
"""What an operator copies from another object; it deletes one that it does not know the source of."""


def network(artifacts: Artifacts) -> Iterator[Flaw]:
    """The kube-apiserver operator reads the networks from the status, where a network operator would report them."""
    parts = ("clusterNetwork", "networkType", "serviceNetwork")
    for path, document in config_objects(artifacts, "Network"):
        if not at(document, "status"):
            message = "it has no status: the kube-apiserver operator reads the networks there, and takes 10.3.0.0/16"
            yield Flaw(subject=path, message=message, fix=REBUILD)
            continue
        yield from expect(path, document, {("status", part): at(document, "spec", part) for part in parts})


def etcd_needs(artifacts: Artifacts) -> Iterator[Flaw]:
    yield from _demanded(artifacts, "etcd")


def apiserver_needs(artifacts: Artifacts) -> Iterator[Flaw]:
    yield from _demanded(artifacts, "kube-apiserver")


def _demanded(artifacts: Artifacts, operator: Operator) -> Iterator[Flaw]:
    there = {identity(d)[1:]: (path, d) for path, d in artifacts.documents.items()}
    for row in (row for row in DEMANDS if row.operator == operator):
        path, document = there.get((row.kind, *row.place), ("", {}))
        missing = [key for key in row.keys if not at(document, "data", key)]
        if not path:
            message = f"{row.kind} {'/'.join(row.place)} is missing; without it the {operator} operator: {row.breaks}"
            yield Flaw(subject=_file_of(artifacts, row), message=message, fix="run `hardway build 07`")
        elif missing:
            message = f"it has no {', '.join(missing)}; without that the {operator} operator: {row.breaks}"
            yield Flaw(subject=path, message=message, fix=REBUILD)


def _file_of(artifacts: Artifacts, row: Demand) -> str:
    """Where the table has such an object."""
    for document in MANIFESTS.documents(artifacts.cluster):
        wanted = body(artifacts, document)
        if wanted and identity(wanted)[1:] == (row.kind, *row.place):
            return document.path
    return "manifests"


def handmade(artifacts: Artifacts) -> Iterator[Flaw]:
    for path, document in artifacts.documents.items():
        if (known := MADE_BY_OPERATORS.get(_placed(document))) is not None:
            operator, source = known
            message = f"the {operator} operator makes it from {source}, and deletes it where it does not find that"
            yield Flaw(subject=path, message=message, fix=f"remove {path}")


def _placed(document: dict[str, Any]) -> tuple[str, str, str]:
    _, kind, namespace, name = identity(document)
    return kind, namespace, name


def signing_keys(artifacts: Artifacts) -> Iterator[Flaw]:
    """Operators sign with RSA whatever the signer's key is: what they adopt and cannot use stops them."""
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey

    for path, document in artifacts.objects("Secret"):
        if _placed(document)[1:] not in SIGNERS:
            continue
        found = certificates(from_base64(at(document, "data", "tls.crt")))
        if found and not isinstance(found[0].public_key(), RSAPublicKey):
            message = "its key is not RSA, and operators sign with RSA alone: they adopt it and issue nothing"
            fix = "set `keys: rsa-2048` in hardway.yaml, remove assets and build again"
            yield Flaw(subject=path, message=message, fix=fix)


def tear_down(artifacts: Artifacts) -> Iterator[Flaw]:
    """The etcd operator removes the bootstrap member when all is complete: nobody may ask that member by then."""
    ign = bootstrap(artifacts)
    if ign is None or (found := ign.file(ENVIRONMENT)) is None:
        return
    lines = dict(line.partition("=")[::2] for line in found.decode(errors="replace").splitlines())
    said = lines.get("TEAR_DOWN", "").strip("\"'").split()
    missing = [f"{name}-pod.yaml" for name in LEAVING if f"/etc/kubernetes/manifests/{name}-pod.yaml" not in said]
    if missing:
        message = f"{ENVIRONMENT}: TEAR_DOWN lacks {', '.join(missing)}: asked for what is gone, its API fails"
        yield Flaw(subject=ign.path, message=message, fix=REBUILD_IGNITION)
