"""Objects as an API gives them: what is normal for some minutes, and what is wrong after that."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from hardway.checks.cluster.objects import COLLECTIONS, Objects, sorted_out
from hardway.checks.cluster.table import TABLE
from hardway.doctor.diagnosis import diagnose
from hardway.drive.csr.judge import Verdict
from hardway.model.check import run

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
CLIENT, SERVING = "kubernetes.io/kube-apiserver-client-kubelet", "kubernetes.io/kubelet-serving"


def ago(minutes):
    return (NOW - timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:%SZ")


def item(kind, name="x", namespace="", minutes=0.0, **rest):
    meta = {"name": name, "creationTimestamp": ago(minutes)} | ({"namespace": namespace} if namespace else {})
    return {"kind": kind, "metadata": meta, **rest}


def condition(kind, status, minutes, reason="R", message="m"):
    return {"type": kind, "status": status, "lastTransitionTime": ago(minutes), "reason": reason, "message": message}


def having(kind, *conditions, name="x", **rest):
    return item(kind, name, status={"conditions": list(conditions)}, **rest)


def request(minutes, signer=CLIENT, **rest):
    return (
        item("CertificateSigningRequest", "csr-1", minutes=minutes, spec={"signerName": signer, "username": "u"}) | rest
    )


def pod(minutes, state=None, name="openshift-x/p", restarts=0, last=None, conditions=()):
    namespace, _, short = name.partition("/")
    status = {"name": "c", "restartCount": restarts, "state": state or {}, "lastState": last or {}, "ready": False}
    return item(
        "Pod", short, namespace, minutes, status={"containerStatuses": [status], "conditions": list(conditions)}
    )


def waiting(reason, message=""):
    return {"waiting": {"reason": reason, "message": message}}


INSTALLED = item("ClusterVersion", "version", status={"history": [{"state": "Completed"}]})


def found(*objects, **rest):
    of = dict.fromkeys(COLLECTIONS, ()) | sorted_out(objects)
    return run(TABLE, Objects(where="test", now=NOW, of=of, **rest)).findings


def told(findings):
    return [(f.check.removeprefix("cluster."), f.failure, f.severity) for f in findings]


UNSCHEDULABLE = condition("PodScheduled", "False", 90, "Unschedulable", "0/3 nodes are available")
PLANTED = {
    "a request that has just come": (request(1), ("requests", "F27", "warning")),
    "a request that nobody approves": (request(11), ("requests", "F27", "error")),
    "a serving request that waits": (request(11, SERVING), ("requests", "F28", "error")),
    "a node that just started": (having("Node", condition("Ready", "False", 1)), ("nodes", "", "warning")),
    "a node that stays away": (having("Node", condition("Ready", "Unknown", 11)), ("nodes", "", "error")),
    "a node without its network": (
        having("Node", condition("Ready", "False", 11, "KubeletNotReady", "NetworkPluginNotReady: no CNI")),
        ("nodes", "F32", "error"),
    ),
    "an operator while the cluster is installed": (
        having("ClusterOperator", condition("Available", "False", 30), name="etcd"),
        ("operators", "F30", "warning"),
    ),
    "an operator after that time": (
        having("ClusterOperator", condition("Degraded", "True", 61), name="authentication"),
        ("operators", "F33", "error"),
    ),
    "an operator that says why": (
        having("ClusterOperator", condition("Degraded", "True", 61, message="x509: certificate has expired"), name="x"),
        ("operators", "F01", "error"),
    ),
    "CVO fails": (having("ClusterVersion", condition("Failing", "True", 61)), ("version", "", "error")),
    "an image that cannot be pulled": (
        pod(11, waiting("ImagePullBackOff", "unauthorized: authentication required")),
        ("pods", "F11", "error"),
    ),
    "an image that is being pulled": (pod(2, waiting("ErrImagePull")), ("pods", "", "warning")),
    "a container that ends again and again": (
        pod(61, waiting("CrashLoopBackOff"), restarts=9),
        ("pods", "", "error"),
    ),
    "a container that was killed for lack of memory": (
        pod(1, waiting("CrashLoopBackOff"), last={"terminated": {"reason": "OOMKilled"}}),
        ("pods", "F38", "error"),
    ),
    "an extension API server that does not accept the front proxy": (
        having("APIService", condition("Available", "False", 61, "FailedDiscoveryCheck", "bad status 401")),
        ("extensions", "F10", "error"),
    ),
    "an extension API server that starts": (
        having("APIService", condition("Available", "False", 3, "MissingEndpoints")),
        ("extensions", "", "warning"),
    ),
    "a router without a node": (
        pod(90, name="openshift-ingress/router-1", conditions=[UNSCHEDULABLE]),
        ("pods", "F54", "error"),
    ),
}


@pytest.mark.parametrize(("planted", "expected"), PLANTED.values(), ids=PLANTED)
def test_what_is_planted_is_found_and_nothing_else(planted, expected):
    assert told(found(planted)) == [expected]


HEALTHY = {
    "approved": request(99, status={"conditions": [{"type": "Approved"}]}),
    "of another signer": request(99, "example.com/signer"),
    "ready": having("Node", condition("Ready", "True", 99)),
    "available": having("ClusterOperator", condition("Available", "True", 99), condition("Degraded", "False", 99)),
    "starting": pod(1, waiting("ContainerCreating")),
    "restarted once or twice": pod(61, waiting("CrashLoopBackOff"), restarts=2),
    "leaving": {**pod(61, waiting("ErrImagePull")), "metadata": {"name": "p", "deletionTimestamp": ago(1)}},
    "malformed": {"kind": "Pod", "metadata": {"name": "p"}, "status": {"containerStatuses": ["x", {"state": 1}]}},
}


@pytest.mark.parametrize("healthy", HEALTHY.values(), ids=HEALTHY)
def test_what_is_normal_is_no_finding(healthy):
    assert found(healthy, INSTALLED) == ()


def test_an_installed_cluster_has_less_time():
    operator = having("ClusterOperator", condition("Available", "False", 11), name="ingress")
    assert told(found(operator, INSTALLED)) == [("operators", "F54", "error")]


def verdict(name, **rest):
    fields = {"uid": "1", "signer": CLIENT, "user": "u", "node": "", "good": False, "reason": "is not planned"}
    return {name: Verdict(request=name, **(fields | rest))}


def versions(minutes):
    history = [{"state": "Completed", "version": "4.18.2", "startedTime": ago(minutes)}]
    return item("ClusterVersion", "version", status={"desired": {"version": "4.18.2"}, "history": history})


@pytest.mark.parametrize(("minutes", "severity"), [(1, "warning"), (11, "error")])
@pytest.mark.parametrize("gates", [[], [{"version": "4.18.1"}]])
def test_feature_gates_without_the_clusters_version_are_found(gates, minutes, severity):
    gate = item("FeatureGate", "cluster", status={"featureGates": gates})
    assert told(found(gate, versions(minutes))) == [("features", "F41", severity)]


def test_feature_gates_of_the_clusters_version_are_none():
    gate = item("FeatureGate", "cluster", status={"featureGates": [{"version": "4.18.2"}]})
    assert found(gate, versions(99)) == ()


def test_a_machine_without_a_name_of_its_own_is_told_by_its_request():
    reason = "the common name is system:node:localhost, which is no master or worker of the plan"
    assert told(found(request(0), verdicts=verdict("csr-1", reason=reason))) == [("requests", "F15", "error")]


def test_a_request_that_is_not_the_plans_is_found_at_once():
    [finding] = found(request(0), verdicts=verdict("csr-1"))
    assert told([finding]) == [("requests", "F27", "error")]
    assert "is not planned" in finding.message


def test_an_older_request_of_a_node_that_has_joined_is_none():
    node = having("Node", condition("Ready", "True", 9), name="master-0")
    assert found(request(11), node, verdicts=verdict("csr-1", node="master-0")) == ()


def test_an_api_that_is_silent_and_a_bootstrap_node_that_is_off_are_one_cause_each():
    report = run(TABLE, Objects(where="x", now=NOW, of={}, silent="no answer", off={"bootstrap": "F31"}))
    assert told(report.findings) == [("machines", "F31", "error"), ("answers", "", "error")]
    [root] = diagnose(report).roots
    assert (root.case.id, [effect.case.id for effect in root.effects]) == ("F31", ["cluster.answers"])
