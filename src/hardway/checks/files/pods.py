"""Stage 07: the static pods as a kubelet would read them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hardway.checks.files import cis
from hardway.checks.files.artifacts import Artifacts
from hardway.checks.files.shapes import at, mapping, mappings, public_key, strings, text
from hardway.checks.files.x509.chain import public_bytes_of_key
from hardway.model.check import Flaw
from hardway.pki.subject import subject_of

REBUILD = "remove the file and run `hardway build 07`"
PODS = {
    "etcd": "bootstrap-manifests/etcd-member-pod.yaml",
    "kube-apiserver": "bootstrap-manifests/kube-apiserver-pod.yaml",
    "kube-controller-manager": "bootstrap-manifests/kube-controller-manager-pod.yaml",
    "kube-scheduler": "bootstrap-manifests/kube-scheduler-pod.yaml",
    "cluster-version-operator": "bootstrap-manifests/bootstrap-pod.yaml",
    "kube-proxy": "master-manifests/kube-proxy-pod.yaml",
}


class Pod:
    """One pod: its containers' flags, environment and images."""

    def __init__(self, path: str, document: dict[str, Any]) -> None:
        self.path = path
        self.spec = mapping(document, "spec")
        self.containers = mappings(self.spec, "containers")

    @property
    def words(self) -> list[str]:
        """Every word of every container's command line; a shell script counts as its words."""
        given = [w for c in self.containers for w in (*strings(c, "command"), *strings(c, "args"))]
        return [part for word in given for part in (word.split() if "\n" in word or " --" in word else [word])]

    def all(self, flag: str) -> list[str]:
        return [w.split("=", 1)[1] for w in self.words if w.startswith(f"{flag}=")]

    def one(self, flag: str) -> str | None:
        found = self.all(flag)
        return found[-1] if found else None

    def has(self, flag: str) -> bool:
        return any(w == flag or w.startswith(f"{flag}=") for w in self.words)

    def only(self, name: str) -> Pod:
        """With the container of that name alone."""
        return Pod(self.path, {"spec": {"containers": [c for c in self.containers if c.get("name") == name]}})

    @property
    def env(self) -> dict[str, str]:
        return {text(e, "name"): text(e, "value") for c in self.containers for e in mappings(c, "env")}

    @property
    def images(self) -> list[str]:
        return [text(c, "image") for c in (*self.containers, *mappings(self.spec, "initContainers"))]


def read(artifacts: Artifacts, name: str) -> Pod | None:
    document = artifacts.yaml(PODS[name])
    if not isinstance(document, dict) or document.get("kind") != "Pod":
        return None
    pod = Pod(PODS[name], document)
    return pod if pod.containers else None


def _wanted(artifacts: Artifacts) -> dict[str, str]:
    """kube-proxy's only where masters run it."""
    return {name: path for name, path in PODS.items() if name != "kube-proxy" or artifacts.cluster.kube_proxy}


def _pods(artifacts: Artifacts) -> Iterator[tuple[str, Pod]]:
    for name in _wanted(artifacts):
        if pod := read(artifacts, name):
            yield name, pod


def pki_file(path: str | None) -> str:
    """The artifact behind a path that a pod reads: bootstrap secrets are the files of tls/ and auth/."""
    base = (path or "").rsplit("/", 1)[-1]
    return f"auth/{base}" if base.endswith("kubeconfig") else f"tls/{base}"


def present(artifacts: Artifacts) -> Iterator[Flaw]:
    for name, path in _wanted(artifacts).items():
        if not artifacts.exists(path):
            yield Flaw(subject=path, message=f"the static pod of {name} is missing", fix=artifacts.build(path, "07"))
        elif read(artifacts, name) is None:
            yield Flaw(subject=path, message="it is not a Pod with containers", fix=REBUILD)


def host_network(artifacts: Artifacts) -> Iterator[Flaw]:
    for _, pod in _pods(artifacts):
        if pod.spec.get("hostNetwork") is not True:
            message = "hostNetwork is off, but there is no pod network before the cluster runs"
            yield Flaw(subject=pod.path, message=message, fix=REBUILD)


def images(artifacts: Artifacts) -> Iterator[Flaw]:
    for _, pod in _pods(artifacts):
        for image in pod.images:
            if "@sha256:" not in image:
                message = f"image {image or '(none)'} is not named by digest, so it can change under the cluster"
                yield Flaw(subject=pod.path, message=message, fix=REBUILD)


def etcd_prefix(artifacts: Artifacts) -> Iterator[Flaw]:
    pod = read(artifacts, "kube-apiserver")
    if pod and pod.one("--etcd-prefix") != "kubernetes.io":
        message = f"--etcd-prefix is {pod.one('--etcd-prefix') or 'unset'}; the masters' API servers read kubernetes.io"
        yield Flaw(subject=pod.path, message=message + " and would find an empty cluster", fix=REBUILD)


def etcd_name(artifacts: Artifacts) -> Iterator[Flaw]:
    pod = read(artifacts, "etcd")
    if pod:
        name = pod.one("--name") or pod.env.get("ETCD_NAME")
        if name != "etcd-bootstrap":
            message = f"the member is called {name}; the etcd operator removes etcd-bootstrap and no other"
            yield Flaw(subject=pod.path, message=message, fix=REBUILD)


def request_header(artifacts: Artifacts) -> Iterator[Flaw]:
    pod = read(artifacts, "kube-apiserver")
    if pod is None:
        return
    client = artifacts.cert(pki_file(pod.one("--proxy-client-cert-file")))
    trusted = {c.subject for c in artifacts.certs(pki_file(pod.one("--requestheader-client-ca-file")))}
    allowed = (pod.one("--requestheader-allowed-names") or "").split(",")
    if client is None or not trusted:
        yield Flaw(subject=pod.path, message="the front proxy's certificate or its CA is not there", fix=REBUILD)
        return
    name = subject_of(client).common_name
    if name not in allowed:
        yield Flaw(
            subject=pod.path, message=f"the front proxy's name {name} is not among the allowed names", fix=REBUILD
        )
    if client.issuer not in trusted:
        message = "the front proxy's certificate was not signed by --requestheader-client-ca-file"
        yield Flaw(subject=pod.path, message=message, fix=REBUILD)


def csr_signer(artifacts: Artifacts) -> Iterator[Flaw]:
    manager, server = read(artifacts, "kube-controller-manager"), read(artifacts, "kube-apiserver")
    if manager is None or server is None:
        return
    signer = artifacts.cert(pki_file(manager.one("--cluster-signing-cert-file")))
    if signer is None or not artifacts.exists(pki_file(manager.one("--cluster-signing-key-file"))):
        yield Flaw(subject=manager.path, message="there is no certificate and key to sign CSRs with", fix=REBUILD)
        return
    for flag, role in (("--client-ca-file", "clients"), ("--kubelet-certificate-authority", "kubelets' servers")):
        if signer not in artifacts.certs(pki_file(server.one(flag))):
            message = f"what it signs is not trusted by kube-apiserver {flag} as {role}"
            yield Flaw(subject=manager.path, message=message, fix=REBUILD)


def service_accounts(artifacts: Artifacts) -> Iterator[Flaw]:
    manager, server = read(artifacts, "kube-controller-manager"), read(artifacts, "kube-apiserver")
    if manager is None or server is None:
        return
    accepted = {public_key(artifacts.read(pki_file(path)) or b"") for path in server.all("--service-account-key-file")}
    signing = {
        "kube-apiserver --service-account-signing-key-file": server.one("--service-account-signing-key-file"),
        "kube-controller-manager --service-account-private-key-file": manager.one("--service-account-private-key-file"),
    }
    for who, path in signing.items():
        if public_bytes_of_key(artifacts, pki_file(path)) not in accepted - {None}:
            message = f"tokens signed with {who} are not accepted by --service-account-key-file"
            yield Flaw(subject=server.path, message=message, fix=REBUILD)
    if len(set(signing.values())) < 2:
        yield Flaw(subject=server.path, message="both kinds of token are signed with one key", fix=REBUILD)


def identities(artifacts: Artifacts) -> Iterator[Flaw]:
    for name in ("kube-controller-manager", "kube-scheduler"):
        pod = read(artifacts, name)
        if pod is None:
            continue
        program, wanted = pod.only(name), f"{name.removeprefix('kube-')}.kubeconfig"
        for flag in ("--kubeconfig", "--authentication-kubeconfig", "--authorization-kubeconfig"):
            if not (program.one(flag) or "").endswith(f"/{wanted}"):
                message = f"{flag} is {program.one(flag) or 'unset'}; it must have its own identity, through {wanted}"
                yield Flaw(subject=pod.path, message=message, fix=REBUILD)


def version_operator(artifacts: Artifacts) -> Iterator[Flaw]:
    pod = read(artifacts, "cluster-version-operator")
    if pod is None:
        return
    if pod.one("--release-image") not in pod.images:
        message = "it does not run from the release image, so it has no /release-manifests to apply"
        yield Flaw(subject=pod.path, message=message, fix=REBUILD)
    if pod.one("--listen") != "":
        message = "--listen is not empty: it would need a serving certificate for its metrics"
        yield Flaw(subject=pod.path, message=message, fix=REBUILD)
    if pod.env.get("CLUSTER_PROFILE") != "self-managed-high-availability":
        yield Flaw(subject=pod.path, message="CLUSTER_PROFILE is not self-managed-high-availability", fix=REBUILD)
    if not all(at(c, "securityContext", "privileged") for c in pod.containers):
        yield Flaw(subject=pod.path, message="it is not privileged", fix=REBUILD)


def benchmark(artifacts: Artifacts) -> Iterator[Flaw]:
    """The 36 scored CIS checks that look at a flag."""
    for rule in cis.TABLE:
        pod = read(artifacts, rule.program)
        if pod and not rule.holds(pod):
            message = f"CIS {rule.number} does not hold: {rule.wanted}"
            yield Flaw(subject=pod.path, message=message, fix=REBUILD)
