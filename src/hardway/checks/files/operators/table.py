"""The checks of what operators need. Each runs where the release deploys its operator, whatever the road."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from hardway.checks.files.artifacts import Artifacts
from hardway.checks.files.operators import objects, release
from hardway.checks.files.release import unread
from hardway.model.check import Check, Flaw
from hardway.model.why import because

SOURCE = "openshift/cluster-etcd-operator and openshift/cluster-kube-apiserver-operator, run as they are"


ETCD, APISERVER = ("etcd",), ("kube-apiserver",)
BOTH = (*ETCD, *APISERVER)
SIGNING = (*BOTH, "kube-controller-manager")  # those that take signers over


def _not_asked(artifacts: Artifacts) -> str:
    road = artifacts.cluster.road
    if road == "operators":
        return ""
    asked = f"only where operators are asked for (`road: operators`); this cluster has `road: {road}`"
    return _without(BOTH, artifacts) or asked


def _without(operators: tuple[str, ...], artifacts: Artifacts) -> str:
    making = artifacts.cluster.operators
    return "" if any(name in making for name in operators) else "only for operators that the release does not deploy"


def _reported(artifacts: Artifacts) -> str:
    if "network" in artifacts.cluster.operators:
        return "the release's network operator writes this status itself"
    return _without(APISERVER, artifacts)


def _row(
    name: str,
    stage: str,
    run: Callable[[Artifacts], Iterable[Flaw]],
    what: str,
    breaks: str,
    failure: str = "",
    *,
    skip: Callable[[Artifacts], str],
) -> Check[Artifacts]:
    why = because(what, readers="the etcd and kube-apiserver operators", breaks=breaks, source=SOURCE)
    skipped = (lambda artifacts: skip(artifacts) or unread(artifacts)) if stage == "04" else skip
    return Check(name=name, stage=stage, run=run, failure=failure, why=why, skip=skipped)


OPERATORS: tuple[Check[Artifacts], ...] = (
    _row(
        "operators.deployed",
        "04",
        release.deployed,
        "The release deploys the etcd operator and the kube-apiserver operator.",
        "masters wait for a control plane that nothing starts",
        "F30",
        skip=_not_asked,
    ),
    _row(
        "operators.types",
        "04",
        release.types,
        "The release brings the types that its operators ask for.",
        "an operator stops: the server could not find the requested resource",
        "F42",
        skip=partial(_without, BOTH),
    ),
    _row(
        "operators.create-only",
        "04",
        release.create_only,
        "Objects that the etcd operator fills are marked as create-only.",
        "the operator loses its client certificate repeatedly",
        "F30",
        skip=partial(_without, ETCD),
    ),
    _row(
        "operators.network",
        "07",
        objects.network,
        "Network has a status, as a network operator would report it.",
        "the API server's operator takes the default service network: Cluster IP is not within the "
        "service CIDR 10.3.0.0/16",
        "F32",
        skip=_reported,
    ),
    _row(
        "operators.etcd-needs",
        "07",
        objects.etcd_needs,
        "The objects that the etcd operator takes over are complete.",
        "the etcd operator adds no member",
        "F30",
        skip=partial(_without, ETCD),
    ),
    _row(
        "operators.apiserver-needs",
        "07",
        objects.apiserver_needs,
        "The objects that the kube-apiserver operator takes over are complete.",
        "the kube-apiserver operator stops: missing required resources",
        "F29",
        skip=partial(_without, APISERVER),
    ),
    _row(
        "operators.handmade",
        "07",
        objects.handmade,
        "Objects that an operator creates are not written by hand.",
        "the operator deletes objects that it does not know",
        skip=partial(_without, APISERVER),
    ),
    _row(
        "operators.signing-keys",
        "07",
        objects.signing_keys,
        "Operators can sign with the signers that they take over.",
        "the operator issues nothing: requested SignatureAlgorithm does not match private key type",
        skip=partial(_without, SIGNING),
    ),
    _row(
        "operators.tear-down",
        "08",
        objects.tear_down,
        "No component uses the bootstrap member when it is removed.",
        "API requests fail at the pivot",
        "F31",
        skip=partial(_without, ETCD),
    ),
)
