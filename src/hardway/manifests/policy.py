"""What the controllers of cluster-policy-controller may do: each has an account of its own in openshift-infra."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from hardway.emit.document import CLUSTER_SCOPED, Document
from hardway.graph.asset import Given
from hardway.lines.sources import source
from hardway.manifests.constraints import RESOURCE, SECURITY
from hardway.manifests.rbac import RBAC, binding
from hardway.manifests.shapes import metadata
from hardway.model.cluster import Cluster
from hardway.model.why import because

INFRA = "openshift-infra"
SOURCE = source("cluster-kube-controller-manager-operator", "bindata/bootkube/manifests")
INTERNAL = "security.internal.openshift.io"
_SEE = ["get", "list", "watch"]


def _rule(group: str, resource: str, *verbs: str, **more: list[str]) -> dict[str, Any]:
    return {"apiGroups": [group], "resources": [resource], **more, "verbs": list(verbs)}


_EVENTS = _rule("", "events", "create", "patch", "update")
_NAMESPACES = _rule("", "namespaces", "get", "list", "update", "watch", "patch")
_BINDINGS = ("clusterroles", "clusterrolebindings", "roles", "rolebindings")


@dataclass(frozen=True, slots=True, kw_only=True)
class Controller:
    account: str
    file: str  # as the operator's render calls it
    does: str
    breaks: str
    rules: tuple[dict[str, Any], ...]

    @property
    def role(self) -> str:
        return f"system:openshift:controller:{self.account}"


TABLE: tuple[Controller, ...] = (
    Controller(
        account="namespace-security-allocation-controller",
        file="00_namespace-security-allocation-controller",
        does="keeps the list of ranges that are taken, and writes a free one onto each namespace",
        breaks="no namespace gets a range of user ids, and SCC admission refuses its pods",
        rules=(
            {
                "apiGroups": [SECURITY, INTERNAL],
                "resources": ["rangeallocations"],
                "verbs": ["create", "get", "update"],
            },
            _NAMESPACES,
            _EVENTS,
        ),
    ),
    Controller(
        account="podsecurity-admission-label-syncer-controller",
        file="00_podsecurity-admission-label-syncer-controller",
        does="labels namespaces with the pod security level that the SCCs of their accounts amount to",
        breaks="namespaces without labels have the API server's default level",
        rules=(
            _NAMESPACES,
            _EVENTS,
            _rule("", "serviceaccounts", *_SEE),
            _rule(SECURITY, RESOURCE, *_SEE),
            {"apiGroups": [RBAC], "resources": list(_BINDINGS), "verbs": _SEE},
        ),
    ),
    Controller(
        account="privileged-namespaces-psa-label-syncer",
        file="00_podsecurity-admission-label-privileged-namespaces-syncer-controller",
        does="labels default, kube-system and kube-public as privileged",
        breaks="with restricted enforced, pods that nodes report in kube-system are refused",
        rules=(
            _rule("", "namespaces", *_SEE),
            _rule("", "namespaces", "patch", resourceNames=["default", "kube-system", "kube-public"]),
        ),
    ),
)


def _role(row: Controller, given: Given) -> dict[str, Any]:
    about = metadata(row.role)
    return {"apiVersion": f"{RBAC}/v1", "kind": "ClusterRole", "metadata": about, "rules": list(row.rules)}


def _binding(row: Controller, given: Given) -> dict[str, Any]:
    return binding(row.role, row.role, [{"kind": "ServiceAccount", "name": row.account, "namespace": INFRA}])


def _documents(row: Controller) -> tuple[Document, Document]:
    readers = f"the API server, for each request of {INFRA}/{row.account}"
    role, bound = (f"{row.file}-{kind}.yaml" for kind in ("clusterrole", "clusterrolebinding"))
    why = because(f"The controller {row.does}.", readers=readers, breaks=row.breaks, source=SOURCE)
    return (
        Document(
            address=f"manifest/{role}",
            path=f"manifests/{role}",
            body=partial(_role, row),
            common=CLUSTER_SCOPED,
            reasons={"rules": because(f"What it needs, and no more: it {row.does}.")},
            why=why,
        ),
        Document(
            address=f"manifest/{bound}",
            path=f"manifests/{bound}",
            body=partial(_binding, row),
            common=CLUSTER_SCOPED,
            reasons={
                "roleRef": because(f"The role in {role}."),
                "subjects": because("The account that cluster-policy-controller creates and requests a token for."),
            },
            why=because(
                f"Gives that role to the account {row.account}.", readers=readers, breaks=row.breaks, source=SOURCE
            ),
        ),
    )


def documents(cluster: Cluster) -> tuple[Document, ...]:
    return tuple(document for row in TABLE for document in _documents(row))
