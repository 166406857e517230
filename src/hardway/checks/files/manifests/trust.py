"""Stage 07: what the manifests hand over: secrets, signers, identities, and the way around the proxy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hardway.checks.files.artifacts import Artifacts
from hardway.checks.files.expected import body
from hardway.checks.files.manifests.objects import REBUILD, config_objects, expect, identity
from hardway.checks.files.shapes import at, certificates, from_base64, mapping, mappings, parse_json, text
from hardway.model.check import Flaw
from hardway.pki.subject import Subject, subject_of
from hardway.workspace.catalogue import MANIFESTS

SIGNERS = {
    ("openshift-kube-apiserver-operator", "loadbalancer-serving-signer"): "kube-apiserver-lb-signer",
    ("openshift-kube-apiserver-operator", "localhost-serving-signer"): "kube-apiserver-localhost-signer",
    ("openshift-kube-apiserver-operator", "service-network-serving-signer"): "kube-apiserver-service-network-signer",
    ("openshift-kube-apiserver-operator", "aggregator-client-signer"): "aggregator-signer",
    ("openshift-kube-apiserver-operator", "kube-apiserver-to-kubelet-signer"): "kube-apiserver-to-kubelet-signer",
    ("openshift-kube-apiserver-operator", "kube-control-plane-signer"): "kube-control-plane-signer",
    ("openshift-kube-controller-manager-operator", "csr-signer-signer"): "kubelet-signer",
    ("openshift-etcd", "etcd-signer"): "etcd-signer",
    ("openshift-etcd", "etcd-metric-signer"): "etcd-metric-signer",
}
PUT_BACK = "put the file back, or run `hardway build --rotate missing`"
REMADE = "remove the file and run `hardway build --rotate missing`"
ASKS_FOR_A_LOGIN = ("quay.io/openshift-release-dev/", "registry.redhat.io/")
ANNOTATIONS = tuple(f"auth.openshift.io/certificate-{part}" for part in ("not-before", "not-after", "issuer"))


def _data(document: dict[str, Any], key: str) -> bytes:
    """A value of a Secret."""
    return from_base64(at(document, "data", key))


def pull_secret(artifacts: Artifacts) -> Iterator[Flaw]:
    registry = artifacts.cluster.release.image.split("/", 1)[0]
    mirrored = [s.source for s in (*artifacts.cluster.digest_sources, *artifacts.cluster.content_sources)]
    for path, document in artifacts.objects("Secret", "pull-secret"):
        auths = mapping(parse_json(_data(document, ".dockerconfigjson")), "auths")
        if not auths:
            yield Flaw(
                subject=path, message="it holds no readable auths", fix="correct pullSecret in install-config.yaml"
            )
        elif registry not in auths and not any(s.startswith(f"{registry}/") for s in mirrored):
            asks = artifacts.cluster.release.image.startswith(ASKS_FOR_A_LOGIN)
            message = f"it has no entry for {registry}, where the release image is"
            fix = "take the pull secret from the vendor's console, or add a mirror"
            more = "" if asks else ": right only if that registry needs no login"
            yield Flaw(subject=path, message=message + more, fix=fix, severity="error" if asks else "warning")


def signers(artifacts: Artifacts) -> Iterator[Flaw]:
    secrets = {(identity(d)[2], identity(d)[3]): (p, d) for p, d in artifacts.objects("Secret")}
    for key, signer in SIGNERS.items():
        if key not in secrets:
            message = f"Secret {'/'.join(key)} is missing: its operator would create a signer of its own"
            yield Flaw(subject=_file_of(artifacts, key), message=message, fix="run `hardway build 07`")
            continue
        path, document = secrets[key]
        missing = [a for a in ANNOTATIONS if not at(document, "metadata", "annotations", a)]
        if missing:
            message = f"without {', '.join(missing)} the operator creates a signer of its own"
            yield Flaw(subject=path, message=message, fix=REBUILD)
        content = artifacts.read(f"tls/{signer}.crt")
        if content is not None and _data(document, "tls.crt") != content:
            yield Flaw(subject=path, message=f"it does not contain tls/{signer}.crt as it is on disk", fix=REBUILD)


def _file_of(artifacts: Artifacts, key: tuple[str, str]) -> str:
    """Where the table has a Secret of this namespace and name."""
    for document in MANIFESTS.documents(artifacts.cluster):
        wanted = body(artifacts, document)
        if at(wanted, "kind") == "Secret" and key == identity(wanted)[2:]:
            return document.path
    return "manifests"


def etcd_endpoints(artifacts: Artifacts) -> Iterator[Flaw]:
    for path, document in artifacts.objects("ConfigMap", "etcd-endpoints"):
        where = ("metadata", "annotations", "alpha.installer.openshift.io/etcd-bootstrap")
        yield from expect(path, document, {where: artifacts.cluster.bootstrap.address})
        if document.get("data"):
            message = "data must be empty: entries there count as permanent members"
            yield Flaw(subject=path, message=message, fix=REBUILD)


def node_bootstrap(artifacts: Artifacts) -> Iterator[Flaw]:
    """Who new kubelets are must be who may ask for certificates."""
    cert = artifacts.cert("tls/kubelet-client.crt")
    if cert is None:
        return
    who = subject_of(cert)
    bound = {
        path: document
        for path, document in artifacts.objects("ClusterRoleBinding")
        if at(document, "roleRef", "name") == "system:node-bootstrapper"
    }
    subjects = [s for document in bound.values() for s in mappings(document, "subjects")]
    if not any(_is(s, who) for s in subjects):
        message = f"no binding gives {who.common_name} the role system:node-bootstrapper"
        yield Flaw(subject=next(iter(bound), "manifests"), message=message, fix="run `hardway build 07`")


def _is(subject: dict[str, Any], who: Subject) -> bool:
    if subject.get("kind") == "ServiceAccount":
        return f"system:serviceaccount:{subject.get('namespace')}:{subject.get('name')}" == who.common_name
    return text(subject, "name") in ({who.common_name} if subject.get("kind") == "User" else who.organizations)


def no_proxy(artifacts: Artifacts) -> Iterator[Flaw]:
    c = artifacts.cluster
    if c.proxy is None:
        return
    networks = [*c.machine_networks, *c.service_networks, *(n.cidr for n in c.cluster_networks)]
    needed = {"127.0.0.1", "localhost", ".svc", ".cluster.local", c.api_int_host, *(str(n) for n in networks)}
    for path, document in config_objects(artifacts, "Proxy"):
        listed = set(str(at(document, "status", "noProxy") or "").split(","))
        missing = sorted(needed - listed)
        if missing and listed != {"*"}:
            message = (
                f"status.noProxy lacks {', '.join(missing)}: requests inside the cluster would go through the proxy"
            )
            yield Flaw(subject=path, message=message, fix=REBUILD)


def kubeadmin(artifacts: Artifacts) -> Iterator[Flaw]:
    import bcrypt

    password = artifacts.read("auth/kubeadmin-password")
    for path, document in artifacts.objects("Secret", "kubeadmin"):
        if password is None:
            fix = artifacts.build("auth/kubeadmin-password", "07")
            lost = fix == "run `hardway build 07`"
            yield Flaw(subject="auth/kubeadmin-password", message="the file is missing", fix=PUT_BACK if lost else fix)
        elif len(password) < 23:
            message = "the password is shorter than 23 characters, and so the login server ignores it"
            yield Flaw(subject="auth/kubeadmin-password", message=message, fix=REMADE)
        elif not _fits(bcrypt, password, _data(document, "kubeadmin")):
            yield Flaw(subject=path, message="its hash is not that of auth/kubeadmin-password", fix=REBUILD)


def _fits(bcrypt: Any, password: bytes, hashed: bytes) -> bool:
    try:
        return bool(bcrypt.checkpw(password, hashed))
    except ValueError:
        return False


def root_ca(artifacts: Artifacts) -> Iterator[Flaw]:
    """Machines that join later trust what is in this ConfigMap."""
    signer = artifacts.cert("tls/root-ca.crt")
    for path, document in artifacts.objects("ConfigMap", "root-ca"):
        found = certificates(text(document, "data", "ca.crt").encode(errors="replace"))
        if signer is not None and signer not in found[:1]:
            yield Flaw(subject=path, message="it does not contain tls/root-ca.crt as it is on disk", fix=REBUILD)
