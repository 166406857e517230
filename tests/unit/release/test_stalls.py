"""Known stalls: each is recognized by a line as it was published or as a program writes it, and none by a good one."""

from __future__ import annotations

import pytest

from hardway.checks.failures import TABLE as FAILURES
from hardway.explain.charts.release import stalls
from hardway.release.convergence import TABLE as OPERATORS
from hardway.release.stalls import TABLE, known
from hardway.workspace.folder import open_or_example

ROUTERS = (
    'IngressDegraded: The "default" ingress controller reports Degraded=True: DegradedConditions: One or more other '
    "status conditions indicate a degraded state: DeploymentAvailable=False (DeploymentUnavailable: The deployment has "
    "Available status condition set to False (reason: MinimumReplicasUnavailable) with message: Deployment does not "
    "have minimum availability.), DeploymentReplicasMinAvailable=False (DeploymentMinimumReplicasNotMet: 0/2 of "
    'replicas are available, max unavailable is 1: Some pods are not scheduled: Pod "router-default-58d56594bb-g9bvt" '
    "cannot be scheduled: 0/3 nodes are available: 3 node(s) had untolerated taint {node-role.kubernetes.io/master: }."
)
LINES = [
    ("no-room", "monitoring", "0/5 nodes are available: 2 Insufficient memory, 3 node(s) had untolerated taint"),
    ("no-place", "ingress", ROUTERS),
    (
        "no-place",
        "authentication",
        "ReadyIngressNodes_NoReadyIngressNodes: ReadyIngressNodesAvailable: Authentication requires "
        "functional ingress which requires at least one schedulable and ready node. Got 0 worker nodes, 1 master nodes",
    ),
    ("pulls", "dns", 'container "dns" is waiting: "ImagePullBackOff": Back-off pulling image'),
    (
        "no-record",
        "ingress",
        "CanaryChecksRepetitiveFailures: Canary route checks for the default ingress controller are failing. Last 1 "
        'error messages: error sending canary HTTP request: DNS error: Get "https://canary-openshift-ingress-canary.'
        'example.com": dial tcp: lookup canary-openshift-ingress-canary.example.com on 172.21.0.10:53: no such host',
    ),
    (
        "canary",
        "ingress",
        "CanaryChecksSucceeding=False (CanaryChecksRepetitiveFailures: Canary route checks for the default ingress "
        "controller are failing)",
    ),
    ("route", "authentication", "RouteHealthDegradedFailedGet: RouteHealthDegraded: failed to GET route: EOF"),
    ("service-network", "service-ca", "dial tcp 172.30.0.1:443: i/o timeout"),
    (
        "rendered",
        "machine-config",
        'machineconfig.machineconfiguration.openshift.io "rendered-master-b9b68ece3045f2312d3d8c77bd520822" not found',
    ),
    ("members", "etcd", "EtcdMembersDegraded: 2 of 3 members are available, ip-10-0-217-93 is unhealthy"),
    ("aggregation", "openshift-apiserver", "v1.apps.openshift.io False (FailedDiscoveryCheck)"),
    ("storage", "image-registry", "Degraded: Unable to apply resources: storage backend not configured"),
    ("clock", "network", "x509: certificate has expired or is not yet valid: current time is before"),
    ("crashes", "kube-scheduler", 'container "kube-scheduler" is waiting: "CrashLoopBackOff"'),
]


@pytest.mark.parametrize(("name", "operator", "said"), LINES, ids=[f"{row[0]}-{row[1]}" for row in LINES])
def test_an_operators_words_are_recognized(name: str, operator: str, said: str):
    found = known(operator, said)
    assert found is not None
    assert found.name == name


def test_every_row_has_a_line():
    assert {row.name for row in TABLE} == {name for name, _, _ in LINES}


@pytest.mark.parametrize(
    "said",
    [
        "NodeControllerDegraded: All master nodes are ready\nEtcdMembersDegraded: No unhealthy members found",
        "NodeInstallerProgressing: 3 nodes are at revision 8",
        "",
    ],
)
def test_good_words_are_no_stall(said: str):
    assert known("etcd", said) is None


def test_words_of_one_operator_are_not_those_of_another():
    assert known("dns", "Canary route checks are failing") is None


def test_rows_name_operators_and_failures_that_there_are():
    assert {name for row in TABLE for name in row.operators} <= {row.name for row in OPERATORS}
    assert {name for row in TABLE for name in row.failures} <= {row.id for row in FAILURES}
    assert all(row.fix and row.why.what and row.why.breaks and row.why.source for row in TABLE)


def test_each_can_be_explained(tmp_path):
    found = {entry.address: dict(entry.facts) for entry in stalls(open_or_example(tmp_path))}
    assert found["stall/canary"]["operators"] == "clusteroperator/ingress"
    assert len(found) == len(TABLE)
