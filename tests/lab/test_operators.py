"""The operators' road: the real etcd and kube-apiserver operators make the masters' control plane, with our signers.

What is looked at, is looked at from outside: through the API, on etcd's own port, and in the nodes' files.
"""

from __future__ import annotations

import json
import os
import time
from base64 import b64decode
from typing import Any

import pytest
import yaml

from hardway.checks.live import rendered, work
from hardway.drive.milestones.table import BY_NAME
from hardway.drive.observe import observe
from hardway.ignition.base import read_base
from hardway.lab import finish
from hardway.manifests import signers
from hardway.manifests.etcd import names as etcd
from hardway.staticpods import masters
from hardway.staticpods.controller_manager import policy
from tests.docs import console
from tests.docs.test_guide import GUIDE
from tests.lab import own_operator
from tests.lab.wholes import whole
from tests.support.lab.checkout import git
from tests.support.waiting import until

FIRST = "hello from my checkout"
ROLLED_OUT = {"etcd": "etcds", "kube-apiserver": "kubeapiservers"}
UID_RANGE = "openshift.io/sa.scc.uid-range"
REAL = ("etcd", "kube-apiserver", "config-operator", "service-ca", "machine-config")


LATE = {
    "apiVersion": "machineconfiguration.openshift.io/v1",
    "kind": "MachineConfig",
    "metadata": {"name": "99-worker-late", "labels": {"machineconfiguration.openshift.io/role": "worker"}},
    "spec": {"kernelArguments": ["late"]},
}


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    return own_operator.copied(tmp_path_factory.mktemp("home"))


@pytest.fixture(scope="module")
def lab(checkout):
    """With one operator from a checkout, in which a line was changed."""
    made = own_operator.saying(checkout, FIRST)
    with whole(f"o{os.getpid()}", "3+2", road="operators", made=[made]) as opened:
        found: Any = opened
        found.drive(until=15)
        until(lambda: not missing(found), lambda: missing(found), seconds=900)
        found.seconds = time.monotonic() - found.begun
        yield found


def missing(lab):
    """What ClusterVersion waits for. Operators go on to roll out afterwards, since the bootstrap member has left: that
    takes many minutes, in which all of this must hold anyway."""
    seen = observe(lab.live)
    return "; ".join(
        filter(None, (BY_NAME[name].missing(seen, lab.prepared.cluster) for name in ("operators", "version")))
    )


def found(lab, *words):
    return json.loads(lab.kubectl("get", *words, "--output=json"))


def test_no_write_is_lost_and_the_silence_has_a_cause(lab, capsys):
    figures = lab.beat.figures
    with capsys.disabled():
        print("", f"nothing to 3+2 by operators: {lab.seconds:.0f} s", f"pulse: {figures}", sep="\n  ")
        print(*figures.silences, *figures.failures, sep="\n  ", flush=True)
    assert figures.lost == 0, figures.failures
    assert figures.writes > 100


def test_the_cluster_version_is_available_and_the_real_operators_say_so(lab):
    version = found(lab, "clusterversion", "version")
    said = {row["type"]: row["status"] for row in version["status"]["conditions"]}
    assert said["Available"] == "True", version["status"]
    operators = {row["metadata"]["name"]: row for row in found(lab, "clusteroperators")["items"]}
    for name in REAL:
        judged = {row["type"]: row["status"] for row in operators[name]["status"]["conditions"]}
        assert (judged["Available"], judged["Degraded"]) == ("True", "False"), operators[name]["status"]
        deployed = found(lab, "deployments", "--namespace", f"openshift-{name.removesuffix('-operator')}-operator")
        images = {c["image"] for d in deployed["items"] for c in d["spec"]["template"]["spec"]["containers"]}
        assert images
        assert lab.prepared.cluster.release.image_for("hardway-lab-operator") not in images


def test_etcd_has_one_member_a_master_by_its_own_list(lab):
    """As whoever of them answers has it: one or the other may be restarting into a new revision."""
    wanted = {n.name: ((f"https://{n.address}:2380",), False) for n in lab.prepared.cluster.masters}

    def listed():
        view = observe(lab.live).etcd
        return {m.name: (m.peers, m.learner) for m in view.members} if view else {}

    until(lambda: listed() == wanted, lambda: str(listed()))


@pytest.mark.parametrize("name", ROLLED_OUT)
def test_every_master_runs_a_revision_that_the_operator_rolled_out(lab, name):
    statuses = found(lab, ROLLED_OUT[name], "cluster")["status"]["nodeStatuses"]
    told = {row["nodeName"]: row["currentRevision"] for row in statuses}
    assert set(told) == {node.name for node in lab.prepared.cluster.masters}
    for node in told:
        text = lab.prepared.machines.run(node, ["cat", masters.BY_NAME[name].manifest]).output
        revision = yaml.safe_load(text)["metadata"]["labels"]["revision"]
        assert int(revision) >= told[node] > 0


def test_what_has_no_operator_stays_by_hand_and_no_signing_key_of_others_is_on_a_master(lab):
    for node in lab.prepared.cluster.masters:
        for row in masters.by_hand(lab.prepared.cluster):
            there = lab.prepared.machines.run(node.name, ["cat", row.manifest]).output.encode()
            assert there == masters.manifest(row.name, lab.prepared.cluster, node)


def test_the_hand_made_signers_are_those_that_the_cluster_has(lab):
    tls = lab.prepared.folder / "assets" / "tls"
    pairs = [(f"openshift-{row.operator}-operator", row.name, row.certificate) for row in signers.SIGNERS]
    pairs += [(etcd.NAMESPACE, name, name) for name in etcd.SIGNERS]
    for namespace, name, certificate in pairs:
        data = found(lab, "secret", name, "--namespace", namespace)["data"]
        assert b64decode(data["tls.crt"]) == (tls / f"{certificate}.crt").read_bytes(), name
        assert b64decode(data["tls.key"]) == (tls / f"{certificate}.key").read_bytes(), name


def test_the_masters_show_certificates_of_the_hand_made_signers(lab):
    """The load balancer's and each master's own are believed by the kubeconfig that was made before anything ran. One
    may be restarting meanwhile."""
    through = finish.kubectl(lab.prepared)
    until(lambda: through(["get", "--raw=/readyz"]).output == "ok", lambda: through(["get", "--raw=/readyz"]).errors)
    for node in lab.prepared.cluster.masters:
        api = lab.live.apis[node.name]
        until(lambda api=api: api.text("/readyz") == "ok", lambda api=api: str(api.text("/readyz")), seconds=400)


def restarts(lab):
    """Of the policy controllers, one beside each controller-manager."""
    pods = found(lab, "pods", "--namespace=kube-system")["items"]
    states = [state for pod in pods for state in pod["status"].get("containerStatuses", ())]
    return sum(state["restartCount"] for state in states if state["name"] == policy.NAME)


def test_without_the_policy_controller_no_pod_gets_into_a_new_namespace(lab):
    """The operator's API servers ask for a range of user ids, which nobody else gives; here somebody else takes the
    lease, and the one that had it exits. The nodes' own pods are shown only where a namespace is labelled for them."""
    labels = found(lab, "namespace", "kube-system")["metadata"]["labels"]
    assert labels["pod-security.kubernetes.io/enforce"] == "privileged"
    before, lease = restarts(lab), ("lease", f"{policy.NAME}-lock", f"--namespace={policy.NAMESPACE}")
    taken = {"spec": {"holderIdentity": "nobody", "leaseDurationSeconds": 3600}}
    lab.kubectl("patch", *lease, "--type=merge", f"--patch={json.dumps(taken)}")
    until(lambda: restarts(lab) > before, lambda: lab.kubectl("get", *lease, "--output=yaml"))
    given = finish.given(lab.prepared, lab.live, seconds=1.0)
    try:
        until(lambda: any(UID_RANGE in flaw.message for flaw in work.service(given)), seconds=400)
    finally:
        lab.kubectl("delete", *lease)
    until(lambda: UID_RANGE in lab.kubectl("get", "namespace", work.SPACE, "--output=json"), seconds=400)
    work.clean(given)


def test_the_pools_have_the_configuration_that_the_nodes_were_made_from(lab):
    ours = read_base(lab.prepared.folder / "assets/mco", lab.prepared.cluster.line)
    wanted = {"master": 3, "worker": 2}
    until(lambda: updated(lab) == wanted, lambda: str(updated(lab)))
    for pool in found(lab, "machineconfigpools")["items"]:
        name = ours[pool["metadata"]["name"]].name
        asked, status = pool["spec"]["configuration"]["name"], pool["status"]
        assert (asked, status["configuration"]["name"], status["machineCount"]) == (
            name,
            name,
            wanted[pool["metadata"]["name"]],
        )


def updated(lab):
    """How many nodes of each pool carry its configuration, by the daemons' own word."""
    pools = found(lab, "machineconfigpools")["items"]
    return {pool["metadata"]["name"]: pool["status"]["updatedMachineCount"] for pool in pools}


def test_a_configuration_that_the_nodes_were_not_made_from_is_named(lab):
    """The pool is paused meanwhile: the controller renders, and no node is changed."""
    before = configuration(lab)
    pause = ("patch", "machineconfigpool", "worker", "--type=merge", "--patch")
    lab.kubectl(*pause, '{"spec": {"paused": true}}')
    late = lab.prepared.folder / "late.json"
    late.write_text(json.dumps(LATE))
    lab.kubectl("create", f"--filename={late}")
    until(lambda: configuration(lab) != before, lambda: configuration(lab))
    [flaw] = rendered.same(finish.given(lab.prepared, lab.live, seconds=1.0))
    lab.kubectl("delete", f"--filename={late}")
    until(lambda: configuration(lab) == before, lambda: configuration(lab))
    lab.kubectl(*pause, '{"spec": {"paused": false}}')
    assert flaw.subject == "MachineConfigPool worker"
    assert flaw.message.endswith("they differ in the field kernelArguments")


def configuration(lab):
    return found(lab, "machineconfigpool", "worker")["spec"]["configuration"]["name"]


def test_the_operator_from_the_checkout_runs_and_its_words_are_in_its_log(lab):
    logs = lab.kubectl("logs", "--namespace=openshift-service-ca-operator", "deployment/service-ca-operator")
    assert logs.splitlines()[0] == FIRST


def test_the_chapter_on_your_own_operator_is_run_as_it_is_written(lab, checkout, tmp_path):
    """In this lab, which was brought up with the chapter's first edit; the second one is rolled out by CVO."""
    git(checkout, "checkout", "--", ".")
    names = {"-C oplab": f"-C {lab.prepared.folder}", "oplab": lab.prepared.paths.name}
    script = console.replaced(console.commands(GUIDE / "your-own-operator.md"), names)
    ran = own_operator.read_along(script, checkout.parent, console.wrapper(tmp_path / "bin"))
    wrong = console.wrong(script, ran)
    assert not wrong, wrong
    until(lambda: not missing(lab), lambda: missing(lab), seconds=300)


def test_stage_17_finds_nothing_once_what_restarts_is_back(lab):
    until(lambda: not lab.problems(), lambda: str(lab.problems()), seconds=600)
