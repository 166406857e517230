"""The checks of the operators' road: on every other road they have nothing to look at."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from hardway.checks.files.artifacts import Artifacts
from hardway.checks.files.operators import objects, release
from hardway.checks.files.release import unread
from hardway.model.check import Check, Flaw
from hardway.model.why import because

SOURCE = "openshift/cluster-etcd-operator and openshift/cluster-kube-apiserver-operator, run as they are"


def _other_road(artifacts: Artifacts) -> str:
    road = artifacts.cluster.road
    return "" if road == "operators" else f"only for the road `operators`; this cluster takes the road `{road}`"


def _other_road_or_unread(artifacts: Artifacts) -> str:
    return _other_road(artifacts) or unread(artifacts)


def _row(
    name: str, stage: str, run: Callable[[Artifacts], Iterable[Flaw]], what: str, breaks: str, failure: str = ""
) -> Check[Artifacts]:
    why = because(what, readers="the etcd and kube-apiserver operators", breaks=breaks, source=SOURCE)
    skip = _other_road_or_unread if stage == "04" else _other_road
    return Check(name=name, stage=stage, run=run, failure=failure, why=why, skip=skip)


OPERATORS: tuple[Check[Artifacts], ...] = (
    _row(
        "operators.deployed",
        "04",
        release.deployed,
        "The release deploys both operators.",
        "masters wait for a control plane that nothing starts",
        "F30",
    ),
    _row(
        "operators.policy",
        "04",
        release.policy,
        "A controller assigns user-id ranges and pod-security labels to namespaces.",
        "no pod is admitted to a new namespace, and the nodes' own pods are not shown",
    ),
    _row(
        "operators.types",
        "04",
        release.types,
        "The release brings the types that its operators ask for.",
        "the server could not find the requested resource",
        "F42",
    ),
    _row(
        "operators.create-only",
        "04",
        release.create_only,
        "Objects that the etcd operator fills are marked as create-only.",
        "it loses its client certificate repeatedly",
        "F30",
    ),
    _row(
        "operators.network",
        "07",
        objects.network,
        "Network has a status, as a network operator would report it.",
        "Cluster IP is not within the service CIDR 10.3.0.0/16",
        "F32",
    ),
    _row(
        "operators.etcd-needs",
        "07",
        objects.etcd_needs,
        "The objects that the etcd operator takes over are complete.",
        "no member is ever added",
        "F30",
    ),
    _row(
        "operators.apiserver-needs",
        "07",
        objects.apiserver_needs,
        "The objects that the kube-apiserver operator takes over are complete.",
        "missing required resources",
        "F29",
    ),
    _row(
        "operators.handmade",
        "07",
        objects.handmade,
        "Objects that an operator creates are not written by hand.",
        "it deletes objects that it does not know",
    ),
    _row(
        "operators.signing-keys",
        "07",
        objects.signing_keys,
        "Operators can sign with the signers that they take over.",
        "requested SignatureAlgorithm does not match private key type",
    ),
    _row(
        "operators.tear-down",
        "08",
        objects.tear_down,
        "No component uses the bootstrap member when it is removed.",
        "API requests fail at the pivot",
        "F31",
    ),
)
