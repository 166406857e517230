"""One master, brought up by a program that is killed ten times on the way, and a bootstrap node that dies. On the way:
what the bootstrap node's API server, alone with its admission, lets in."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time

import pytest

from hardway.drive.client import Trouble
from hardway.lab import node, prepared
from hardway.places.finish import LAB
from tests.lab import admission
from tests.lab.wholes import cluster_folder, opened
from tests.support.waiting import until

EARLY = (
    "pushing: etcd",
    "machine-config-operator bootstrap",
    "unpacking",
    "prepared",
    "acted     bootstrap: bootstrap is off",
    "reached   10 bootstrap-api",
    "acted     master-0: master-0 is off",
)
LATE = ("reached   11 masters-ready", "as a learner it receives the data", "no new connection goes to bootstrap")
LEASE = "/apis/coordination.k8s.io/v1/namespaces/openshift-cluster-version/leases/version"


@pytest.fixture(scope="module")
def folder():
    with cluster_folder(f"k{os.getpid()}", "1+0") as found:
        yield found


@pytest.fixture(scope="module")
def lab(folder):
    """Once it is prepared."""
    found = opened(prepared.opened(folder), time.monotonic())
    yield found
    found.beat.stop()


def killed_at(folder, words):
    """A run that comes to an end in the middle of things: as soon as it has said these words."""
    process = begun(folder, 16, words)
    said = []
    for line in process.stdout:  # programs that it started may keep the other end open
        said.append(line)
        if words in line:
            break
    process.wait()
    process.stdout.close()
    assert said, "it said nothing"
    assert words in said[-1], "".join(said[-20:])
    until(lambda: not alive(process.pid), lambda: "a program that it started does not end")


def begun(folder, stage, words):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    command = [sys.executable, "-m", "tests.lab.driven", str(folder), str(stage), words]
    return subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True, text=True
    )


def alive(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("words", EARLY)
def test_it_is_killed_before_the_masters_are_there(folder, words):
    killed_at(folder, words)


def test_the_bootstrap_node_dies_before_etcd_has_grown_and_nothing_is_lost(folder, lab):
    lab.drive(11)
    lab.writes_go_on()
    node.cut(lab.prepared.paths, "bootstrap")
    until(lambda: lab.beat.figures.failed > 0, lambda: "the API goes on without its machine")
    lab.drive(11)
    lab.live.api.delete(LEASE)  # CVO's, which would outlive its holder by minutes
    assert lab.runs("bootstrap")
    lab.writes_go_on()
    assert lab.beat.figures.lost == 0, lab.beat.figures.failures


@pytest.fixture(scope="module")
def users(lab):
    return admission.users(lab)


def deploy(lab, name, **context):
    """Pods of the namespace's own account, from an image that names no user."""
    image, labels = lab.prepared.cluster.release.image_for(LAB), {"app": name}
    container = {"name": name, "image": image, "command": ["sleep", "9999"], "securityContext": context}
    pod = {"containers": [container], "tolerations": [{"operator": "Exists"}], "terminationGracePeriodSeconds": 0}
    template = {"metadata": {"labels": labels}, "spec": pod}
    body = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": name}}
    made = lab.live.api.create(
        "/apis/apps/v1/namespaces/users/deployments",
        {**body, "spec": {"selector": {"matchLabels": labels}, "template": template}},
    )
    assert not isinstance(made, Trouble), made


def pods(lab, *words):
    return json.loads(lab.kubectl("get", "pods", *words, "--output=json"))["items"]


def test_a_pod_that_must_not_be_root_gets_a_user_of_its_namespace(lab, users):
    deploy(lab, "nobody", runAsNonRoot=True)
    chosen = ("--namespace=users", "--selector=app=nobody")

    def running():
        return [pod for pod in pods(lab, *chosen) if pod["status"]["phase"] == "Running"]

    until(running, lambda: lab.kubectl("describe", "pods", *chosen))
    (pod,) = running()
    assert pod["metadata"]["annotations"]["openshift.io/scc"] == "restricted-v2"
    user = int(lab.kubectl("exec", "--namespace=users", pod["metadata"]["name"], "--", "id", "-u"))
    assert user == pod["spec"]["containers"][0]["securityContext"]["runAsUser"]
    assert user in users


def test_a_privileged_pod_of_an_account_without_the_right_is_refused(lab, users):
    deploy(lab, "greedy", privileged=True)

    def said():
        return lab.kubectl("get", "deployment", "greedy", "--namespace=users", "--output=jsonpath={.status.conditions}")

    until(lambda: admission.REFUSED in said(), said)
    assert pods(lab, "--namespace=users", "--selector=app=greedy") == []
    lab.kubectl("delete", "namespace", "users", "--wait=false")


@pytest.mark.parametrize("namespace", ["kube-system", "openshift-hardway-lab"])
def test_pods_on_the_machines_network_run_in_the_system_s_namespaces(lab, namespace):
    """One that a kubelet shows, and one that CVO has deployed."""

    def phases():
        found = [pod for pod in pods(lab, f"--namespace={namespace}") if pod["spec"].get("hostNetwork")]
        return {pod["metadata"]["name"]: pod["status"]["phase"] for pod in found}

    until(lambda: "Running" in phases().values(), lambda: f"{namespace}: {phases()}", seconds=400)


@pytest.mark.parametrize("words", LATE)
def test_it_is_killed_while_the_control_plane_moves(folder, words):
    killed_at(folder, words)


def test_the_last_run_finishes_and_no_request_has_failed_since(lab, capsys):
    failed = [*lab.beat.figures.failures]
    counted = lab.beat.figures.failed
    lab.drive()
    assert lab.problems() == []
    with capsys.disabled():
        print(f"\n  1+0, pulse: {lab.beat.figures}", flush=True)
    assert lab.beat.figures.failed == counted, (failed, lab.beat.figures.failures)
    assert lab.beat.figures.lost == 0
