"""Stage 07: what chooses a user for a pod: the API server's configuration file, constraints, and the policy controller.

OpenShift's API server reads its configuration file after its flags, and puts its own default where the file is silent.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hardway.checks.files.artifacts import Artifacts
from hardway.checks.files.pods import REBUILD, read
from hardway.checks.files.release import REFERENCES, named
from hardway.checks.files.shapes import at, mapping, mappings, strings, text
from hardway.model.check import Flaw
from hardway.model.cluster import Cluster

STANDARD = (
    "anyuid",
    "hostaccess",
    "hostmount-anyuid",
    "hostnetwork",
    "hostnetwork-v2",
    "nonroot",
    "nonroot-v2",
    "privileged",
    "restricted",
    "restricted-v2",
)
"""Those without which the admission plugin refuses every pod."""
FILES = "manifests/0000_20_kube-apiserver-operator_00_"
EVERYBODY, DEFAULT = "system:authenticated", "system:openshift:scc:restricted-v2"
SECURITY = "security.openshift.io"
TYPES = ("securitycontextconstraints.security.openshift.io", "rangeallocations.security.internal.openshift.io")
POLICY, ADMIN = "cluster-policy-controller", "/etc/kubernetes/kubeconfig"
ALLOCATION, ACCOUNT = "openshift.io/namespace-security-allocation", "namespace-security-allocation-controller"


def config(artifacts: Artifacts) -> Iterator[Flaw]:
    pod = read(artifacts, "kube-apiserver")
    if pod is None:
        return
    name = pod.one("--openshift-config")
    if not name:
        message = "--openshift-config is missing: without it no SCC chooses a user, and pods that must not be root fail"
        yield Flaw(subject=pod.path, message=message, fix=REBUILD)
        return
    path = _config_path(name)
    found = artifacts.yaml(path)
    if at(found, "kind") != "KubeAPIServerConfig":
        message = "kube-apiserver --openshift-config names it, and it is no KubeAPIServerConfig"
        yield Flaw(subject=path, message=message, fix=REBUILD)
        return
    for field, value, flag, wanted in _repeated(found, artifacts.cluster):
        if not value or value != (wanted or value):
            message = f"{field} is {value or 'unset'}, not {wanted or 'set'}: the file or its default wins over {flag}"
            yield Flaw(subject=path, message=message, fix=REBUILD)
    if "SystemMasters" not in (pod.one("--authorization-mode") or "").split(","):
        message = "--authorization-mode lacks SystemMasters: with --openshift-config administrators have no rights"
        yield Flaw(subject=pod.path, message=message, fix=REBUILD)


def _config_path(name: str | None) -> str:
    return f"bootstrap-configs/{(name or '').rpartition('/')[2]}"


def _repeated(found: Any, cluster: Cluster) -> Iterator[tuple[str, str, str, str]]:
    """What the file has a default for: the field, its value, the flag that says the same, and what the plan has."""
    serving = mapping(found, "servingInfo")
    networks = ",".join(map(str, cluster.service_networks))
    address = "[::]:6443" if cluster.ipv6_primary else "0.0.0.0:6443"
    yield "servingInfo.bindAddress", text(serving, "bindAddress"), "--bind-address", address
    yield "servingInfo.minTLSVersion", text(serving, "minTLSVersion"), "--tls-min-version", ""
    yield "servingInfo.cipherSuites", ",".join(strings(serving, "cipherSuites")), "--tls-cipher-suites", ""
    yield "servicesSubnet", text(found, "servicesSubnet"), "--service-cluster-ip-range", networks
    keys = ",".join(strings(found, "serviceAccountPublicKeyFiles"))
    yield "serviceAccountPublicKeyFiles", keys, "--service-account-key-file", ""


def constraints(artifacts: Artifacts) -> Iterator[Flaw]:
    kind = "SecurityContextConstraints"
    made = {d["metadata"]["name"] for _, d in artifacts.objects(kind)}
    for name in STANDARD:
        if name not in made:
            message = f"{kind} {name} is missing: the API server admits no pod until it has all ten"
            yield Flaw(subject=f"{FILES}scc-{name}.yaml", message=message, fix=REBUILD)
    if not any(_gives(d, "Group", EVERYBODY, DEFAULT) for _, d in artifacts.objects("ClusterRoleBinding")):
        message = f"the binding of {DEFAULT} to {EVERYBODY} is missing: a pod of an ordinary account is refused"
        yield Flaw(subject=f"{FILES}crb-systemauthenticated-scc-restricted-v2.yaml", message=message, fix=REBUILD)
    types = {str(at(artifacts.yaml(path), "metadata", "name")) for path in artifacts.files("crds/*")}
    for name in TYPES:
        if types and name not in types:
            message = f"the release's CRDs lack {name}: no pod is admitted until CVO brings the type"
            yield Flaw(subject="crds", message=message, fix="run `hardway build 04` with a release that has it")


def _gives(document: dict[str, Any], kind: str, name: str, role: str = "") -> bool:
    subjects = mappings(document, "subjects")
    given = any((s.get("kind"), s.get("name")) == (kind, name) for s in subjects)
    return given and (not role or at(document, "roleRef", "name") == role)


def policy(artifacts: Artifacts) -> Iterator[Flaw]:
    pod = read(artifacts, "kube-controller-manager")
    if pod is None:
        return
    if POLICY not in artifacts.cluster.release.images:
        if (said := named(artifacts)) and POLICY not in said:
            message = f"there is no image {POLICY}: no namespace gets a range of user ids, and its pods are refused"
            yield Flaw(subject=REFERENCES, message=message, fix="run `hardway build 04` with a release that has it")
        return
    beside = pod.only(POLICY)
    if not beside.containers:
        message = f"{POLICY} does not run in it: pods of a namespace without a range of user ids are refused"
        yield Flaw(subject=pod.path, message=message, fix=REBUILD)
        return
    if beside.one("--kubeconfig") != ADMIN:
        message = (
            f"{POLICY} has --kubeconfig={beside.one('--kubeconfig')}, not {ADMIN}: it may not create the namespace of "
            "its accounts, exits, and its lease lets no other start for 137 s"
        )
        yield Flaw(subject=pod.path, message=message, fix=REBUILD)
    path = _config_path(beside.one("--config"))
    if ALLOCATION not in strings(artifacts.yaml(path), "controllers"):
        message = f"it does not turn {ALLOCATION} on: no namespace gets a range of user ids"
        yield Flaw(subject=path, message=message, fix=REBUILD)
    if not any(_gives(d, "ServiceAccount", ACCOUNT) for _, d in artifacts.objects("ClusterRoleBinding")):
        message = f"no ClusterRoleBinding names the account {ACCOUNT}: it may not write ranges onto namespaces"
        yield Flaw(subject="manifests", message=message, fix="run `hardway build 07`")
