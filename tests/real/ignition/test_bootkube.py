"""bootkube.sh, run for real against a small cluster in a folder that stands in for `oc` and `curl`."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.support.bootkube_machine import HAND, HERE, SCRIPT, Machine, environment


def test_waits_for_etcd_before_the_api_and_for_the_api_before_anything_else(tmp_path: Path) -> None:
    machine = Machine(tmp_path, {**HERE, "etcd": 4, "api": 8})
    assert machine.run().returncode == 0
    kinds = ["etcd" if c[0] == "curl" else "api" if "--raw=/readyz" in c else "other" for c in machine.calls]
    assert kinds[:8] == ["etcd"] * 4 + ["api"] * 4
    assert set(kinds[8:]) == {"other"}


def test_asks_etcd_with_its_own_client_certificate_and_never_through_a_proxy(tmp_path: Path) -> None:
    machine = Machine(tmp_path, HERE)
    machine.run()
    call = machine.calls[0]
    given = dict(pairwise(call))
    folder = f"{machine.root}/etc/kubernetes/bootstrap-secrets"
    assert (given["--cacert"], given["--cert"], given["--key"]) == (
        f"{folder}/etcd-ca-bundle.crt",
        f"{folder}/etcd-client.crt",
        f"{folder}/etcd-client.key",
    )
    assert given["--noproxy"] == "*"


@pytest.mark.parametrize(
    ("world", "reason", "look"),
    [
        ({"etcd": None}, "etcd on this machine to be healthy", "crictl ps --name etcd"),
        ({"api": None}, "the API server on this machine to be ready", "crictl ps --name kube-apiserver"),
        ({"established": None}, "all CRDs to be established", "oc get crd"),
        ({"nodes": {"master-0": 0, "master-2": 0}}, "not Ready: master-1", "oc get csr"),
        ({"pods": {}}, "openshift-etcd/etcd runs on 0 of 2 masters", "openshift-kube-apiserver"),
    ],
)
def test_a_wait_ends_with_what_was_waited_for_and_how_to_look(
    tmp_path: Path, world: dict[str, Any], reason: str, look: str
) -> None:
    machine = Machine(tmp_path, {**HERE, **world})
    done = machine.run(limit=0)
    assert done.returncode == 1
    assert "FAILED: waited 0 s" in done.stderr
    assert reason in done.stderr
    assert look in done.stderr.partition("Look with: ")[2]
    assert not machine.finished()


def test_a_second_run_does_nothing_twice(tmp_path: Path) -> None:
    machine = Machine(tmp_path, HERE)
    machine.run()
    before = len(machine.calls)
    again = machine.run()
    assert again.returncode == 0
    assert len(machine.calls) == before


def test_a_run_after_a_failure_takes_up_where_the_first_one_stopped(tmp_path: Path) -> None:
    machine = Machine(tmp_path, {**HERE, "nodes": {}})
    assert machine.run(limit=0).returncode == 1
    before = len(machine.calls)
    machine.world(HERE)
    again = machine.run()
    assert again.returncode == 0
    assert "manifests: done by an earlier run" in again.stdout
    assert not any(word.startswith("--filename=") for call in machine.calls[before:] for word in call)
    assert machine.finished()


NAMES = ("etcds", "kubeapiservers", "kubecontrollermanagers", "kubeschedulers")
RESOURCES = [f"{name}.operator.openshift.io" for name in NAMES]


def revisions(*current: int, running: str = "") -> dict[str, Any]:
    found = {"nodeStatuses": [{"nodeName": f"master-{i}", "currentRevision": r} for i, r in enumerate(current)]}
    conditions = [{"type": "EtcdRunningInCluster", "status": running}] if running else []
    return {**found, "conditions": conditions}


def reported(**other: dict[str, Any]) -> dict[str, Any]:
    """All four operators, with a revision on two masters, unless told otherwise."""
    usual = {name: revisions(3, 3, 0, running="True" if name == "etcds" else "") for name in NAMES}
    return {f"{name}.operator.openshift.io": [[0, status]] for name, status in (usual | other).items() if status}


@pytest.mark.parametrize(
    ("operators", "missing"),
    [
        (reported(), ""),
        (reported(kubeapiservers=revisions(3, 0, 0)), "kubeapiservers.operator.openshift.io: a revision is on 1 of 2"),
        (reported(kubeschedulers=revisions(1, 0, 0)), "kubeschedulers.operator.openshift.io: a revision is on 1 of 2"),
        (
            reported(kubecontrollermanagers={"conditions": []}),
            "kubecontrollermanagers.operator.openshift.io: a revision",
        ),
        (reported(kubecontrollermanagers={}), "kubecontrollermanagers.operator.openshift.io: a revision is on 0 of 2"),
        (reported(etcds=revisions(1, 1, 1)), "EtcdRunningInCluster is not reported"),
        (reported(etcds=revisions(1, 1, 1, running="False")), "EtcdRunningInCluster is False"),
    ],
)
def test_the_operators_word_counts_where_operators_make_the_masters(
    tmp_path: Path, operators: dict[str, Any], missing: str
) -> None:
    """As in every publisher's release: nothing of the control plane is in kube-system."""
    machine = Machine(tmp_path, {**HERE, "pods": {}, "operators": operators})
    machine.environment(environment(hand="", operators=" ".join(RESOURCES)))
    done = machine.run(limit=0)
    assert (done.returncode == 0) is (not missing), done.stderr
    assert missing in done.stderr
    assert ("ConfigMap/kube-system/bootstrap" in machine.objects) is (not missing)
    assert ("overrides" not in machine.objects["ClusterVersion//version"]["spec"]) is (not missing)


@pytest.mark.parametrize("place", HAND.split(" "))
def test_a_part_that_is_made_by_hand_is_waited_for_as_its_pods(tmp_path: Path, place: str) -> None:
    namespace, _, name = place.partition("/")
    pods = {s: {p: 0 for p in found if not p.startswith(f"{name}-master-1")} for s, found in HERE["pods"].items()}
    machine = Machine(tmp_path, {**HERE, "pods": pods})
    assert machine.run(limit=0).returncode == 0
    other = Machine(tmp_path / "other", {**HERE, "pods": {**pods, namespace: {}}})
    done = other.run(limit=0)
    assert (done.returncode, "runs on 0 of 2 masters" in done.stderr) == (1, True)


def test_one_master_is_enough_for_a_single_node_cluster(tmp_path: Path) -> None:
    pods = {space: {f"{name}-sno": 0} for space, _, name in (place.partition("/") for place in HAND.split(" ")[:2])}
    pods["kube-system"] = {"kube-controller-manager-sno": 0, "kube-scheduler-sno": 0}
    machine = Machine(tmp_path, {"nodes": {"sno": 0}, "pods": pods})
    machine.environment(environment(masters=("sno",), needed=1))
    assert machine.run(limit=0).returncode == 0


def test_somebody_elses_pod_does_not_count(tmp_path: Path) -> None:
    pods = {
        **HERE["pods"],
        "openshift-kube-apiserver": {"kube-apiserver-guard-master-0": 0, "kube-apiserver-master-9": 0},
    }
    machine = Machine(tmp_path, {**HERE, "pods": pods})
    assert machine.run(limit=0).returncode == 1


def test_the_last_steps_go_through_the_load_balancer(tmp_path: Path) -> None:
    machine = Machine(tmp_path, HERE)
    machine.run()
    through = [c for c in machine.calls if f"--kubeconfig={machine.root}/opt/openshift/auth/kubeconfig" in c]
    assert [c[3] for c in through] == ["patch", "get", "create"]
    assert through == machine.calls[-3:]


def test_without_a_plan_it_stops_at_once(tmp_path: Path) -> None:
    machine = Machine(tmp_path, HERE)
    machine.environment("MASTERS_NEEDED=2\n")
    done = machine.run()
    assert done.returncode != 0
    assert "does not name the masters" in done.stderr


def test_without_manifests_it_says_that_the_machine_is_incomplete(tmp_path: Path) -> None:
    machine = Machine(tmp_path, HERE, {})
    done = machine.run()
    assert done.returncode == 1
    assert "incomplete bootstrap.ign" in done.stderr


def test_shell_scripts_are_clean() -> None:
    scripts = [str(p) for p in SCRIPT.parent.glob("*.sh")]
    assert len(scripts) == 2
    done = subprocess.run(
        [Path(sys.executable).parent / "shellcheck", *scripts], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_no_failure_is_hidden() -> None:
    for script in SCRIPT.parent.glob("*.sh"):
        assert "|| true" not in script.read_text()
        assert "|| :" not in script.read_text()
        assert "set -euo pipefail" in script.read_text()
