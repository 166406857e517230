"""A cluster of three masters and two workers, from nothing to its last check; then what may happen to it."""

from __future__ import annotations

import json
import os
import re
import time

import pytest

from hardway.drive.client import Trouble, path
from hardway.lab import cgroups, finish, node, services
from tests.lab import admission
from tests.lab.wholes import whole
from tests.support.hostile import hostile
from tests.support.waiting import until

PODS = "/api/v1/pods"
CSRS = "/apis/certificates.k8s.io/v1/certificatesigningrequests"
NOT_IN_THE_STORE = "cluster-config-api"  # an image of the release that nodes have to pull


@pytest.fixture(scope="module")
def lab():
    with whole(f"w{os.getpid()}", "3+2") as found:
        yield found


def shown(capsys, *lines):
    with capsys.disabled():
        print("", *lines, sep="\n  ", flush=True)


def well(lab):
    """Every milestone is reached again, and nothing that was acknowledged is gone."""
    lab.drive()
    figures = lab.beat.figures
    assert figures.lost == 0, figures.failures


def test_from_nothing_to_the_last_check_without_a_failed_request(lab, capsys):
    lab.drive()
    seconds, figures = time.monotonic() - lab.begun, str(lab.beat.figures)
    assert lab.beat.figures.failed == 0, lab.beat.figures.failures
    assert lab.problems() == []
    memory = ", ".join(f"{name} {size}" for name, size in lab.memory().items())
    shown(capsys, f"nothing to 3+2 complete: {seconds:.0f} s", f"pulse: {figures}", f"memory, MB: {memory}")
    assert (lab.beat.figures.failed, lab.beat.figures.lost) == (0, 0), lab.beat.figures.failures
    assert lab.beat.figures.writes > 100


def unready(lab):
    """Pods that a user of `get pods -A` would ask about."""
    rows = lab.kubectl("get", "pods", "--all-namespaces", "--no-headers").splitlines()
    shown = [row.split()[:4] for row in rows]
    return [row for row in shown if row[3] != "Completed" and (row[3] != "Running" or len(set(row[2].split("/"))) > 1)]


def test_every_pod_of_a_finished_cluster_runs(lab):
    until(lambda: unready(lab) == [], lambda: str(unready(lab)))
    proxies = lab.kubectl("get", "pods", "--all-namespaces", "--no-headers").count("kube-rbac-proxy-crio-")
    assert proxies == 5


@pytest.fixture(scope="module")
def users(lab):
    yield admission.users(lab)
    lab.kubectl("delete", "namespace", admission.SPACE, "--wait=false")


@pytest.mark.parametrize("index", range(3))
def test_each_master_chooses_users_and_refuses_what_no_constraint_allows(lab, users, tmp_path, index):
    cluster = lab.prepared.cluster
    there = (f"--server=https://{cluster.masters[index].address}:6443", f"--tls-server-name={cluster.api_int_host}")
    admission.chooses_and_refuses(lab, users, tmp_path, *there)


def test_a_master_dies_and_comes_back(lab, capsys):
    before = lab.beat.figures.failed
    node.cut(lab.prepared.paths, "master-2")
    lab.writes_go_on()
    assert not lab.runs("master-2")
    well(lab)
    assert lab.runs("master-2")
    shown(capsys, f"requests that failed with the master: {lab.beat.figures.failed - before}")


def test_an_api_server_dies_and_comes_back(lab):
    server = lab.prepared.machines.run("master-1", ["pidof", "kube-apiserver"]).output.split()
    assert lab.prepared.machines.run("master-1", ["kill", "-KILL", *server]).ok
    until(lambda: isinstance(lab.live.apis["master-1"].text("/readyz"), Trouble), lambda: "it still answers")
    lab.writes_go_on()
    well(lab)
    again = lab.prepared.machines.run("master-1", ["pidof", "kube-apiserver"]).output.split()
    assert again
    assert again != server


def test_requests_that_are_not_the_plans_are_refused_and_shown(lab, tmp_path):
    """Whoever posts them may: what the API server itself lets through is left to the rules."""
    groups = ["--group=system:authenticated", "--group=system:unauthenticated"]
    lab.kubectl("create", "clusterrolebinding", "anybody-asks", "--clusterrole=system:node-bootstrapper", *groups)
    posted = {f"hostile-{n}": kind[0] for n, kind in enumerate(kinds(lab))}
    accepted = {name for name, item in posted.items() if post(lab, tmp_path, name, item)}
    assert len(accepted) > 20
    lab.drive()
    refused = {e.text.split(" by ")[0]: e.text for e in lab.events if e.kind == "refused"}
    assert accepted <= set(refused)
    for item in lab.live.api.items(CSRS):
        if item["metadata"]["name"] in posted:
            assert "conditions" not in item["status"]
            assert "certificate" not in item["status"]


def kinds(lab):
    """Without two ways of being wrong: a worker that has joined no longer comes too early, and who is an administrator
    already has the controller-manager's own approval, and needs no certificate."""
    found = hostile(lab.prepared.cluster).values()
    return [kind for kind in found if kind[1] != "time" and "system:masters" not in kind[0]["spec"]["groups"]]


def post(lab, folder, name, item):
    """As the one who asks; whether the API server took it."""
    sent = {k: v for k, v in item["spec"].items() if k not in ("username", "groups")}
    file = folder / f"{name}.json"
    file.write_text(json.dumps({**item, "metadata": {"name": name}, "spec": sent}))
    groups = [f"--as-group={group}" for group in item["spec"]["groups"]]
    words = ["create", f"--raw={CSRS}", f"--filename={file}", f"--as={item['spec']['username']}", *groups]
    done = finish.kubectl(lab.prepared)(words)
    assert done.ok or re.search("invalid|illegal base64|forbidden", done.errors, re.IGNORECASE), done.errors
    return done.ok


def test_the_registry_is_down_while_an_image_is_pulled(lab):
    cgroups.end(lab.prepared.paths, services.IMAGES)
    image = lab.prepared.cluster.release.image_for(NOT_IN_THE_STORE)
    container = {"name": "late", "image": image, "command": ["sleep", "600"]}
    spec = {"nodeName": "worker-0", "containers": [container], "terminationGracePeriodSeconds": 0}
    body = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "late", "namespace": "default"}, "spec": spec}
    assert not isinstance(lab.live.api.create(path(PODS, namespace="default"), body), Trouble)
    until(lambda: waits(lab) in ("ErrImagePull", "ImagePullBackOff"), lambda: waits(lab))
    services.up(lab.prepared.paths, lab.prepared.cluster)
    until(lambda: not waits(lab), lambda: waits(lab))
    lab.live.api.delete(path(PODS, "late", namespace="default"))


def waits(lab):
    """What the pod's container waits for; nothing once it runs."""
    pod = lab.live.api.get(path(PODS, "late", namespace="default"))
    if isinstance(pod, Trouble):
        return str(pod)
    states = pod["status"].get("containerStatuses") or [{"state": {"waiting": {"reason": "not begun"}}}]
    return states[0]["state"].get("waiting", {}).get("reason", "")
