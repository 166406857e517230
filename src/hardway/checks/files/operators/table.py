"""The checks of the operators' road: on every other road they have nothing to say."""

from __future__ import annotations

from dataclasses import replace

from hardway.checks.files.operators import objects
from hardway.checks.files.operators import release as operators_release
from hardway.checks.files.row import check

SOURCE = "openshift/cluster-etcd-operator and openshift/cluster-kube-apiserver-operator, run as they are"

_ROWS = (
    check(
        "operators.deployed",
        "04",
        operators_release.deployed,
        "The release deploys both operators.",
        "masters wait for a control plane that nobody makes",
        "F30",
        SOURCE,
    ),
    check(
        "operators.policy",
        "04",
        operators_release.policy,
        "Somebody gives namespaces their ranges of user ids, and labels of pod security.",
        "no pod gets into a new namespace, and the nodes' own pods are not shown",
        source=SOURCE,
    ),
    check(
        "operators.types",
        "04",
        operators_release.types,
        "The release brings the types that its operators ask for.",
        "the server could not find the requested resource",
        "F42",
        SOURCE,
    ),
    check(
        "operators.create-only",
        "04",
        operators_release.create_only,
        "What the etcd operator fills is only ever created.",
        "it loses its client certificate, again and again",
        "F30",
        SOURCE,
    ),
    check(
        "operators.network",
        "07",
        objects.network,
        "Network has a status, as a network operator would report it.",
        "Cluster IP is not within the service CIDR 10.3.0.0/16",
        "F32",
        SOURCE,
    ),
    check(
        "operators.etcd-needs",
        "07",
        objects.etcd_needs,
        "What the etcd operator takes over is whole.",
        "no member is ever added",
        "F30",
        SOURCE,
    ),
    check(
        "operators.apiserver-needs",
        "07",
        objects.apiserver_needs,
        "What the kube-apiserver operator takes over is whole.",
        "missing required resources",
        "F29",
        SOURCE,
    ),
    check(
        "operators.handmade",
        "07",
        objects.handmade,
        "What an operator makes is not made by hand.",
        "it deletes what it does not know",
        source=SOURCE,
    ),
    check(
        "operators.signing-keys",
        "07",
        objects.signing_keys,
        "Operators can sign with the signers that they adopt.",
        "requested SignatureAlgorithm does not match private key type",
        source=SOURCE,
    ),
    check(
        "operators.tear-down",
        "08",
        objects.tear_down,
        "Nobody asks the bootstrap member when it is taken away.",
        "API requests fail at the pivot",
        "F31",
        SOURCE,
    ),
)

OPERATORS = tuple(replace(row, road="operators") for row in _ROWS)
