"""The end of bootkube.sh where operators made the masters: this machine's control plane goes before its etcd member."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.support.bootkube_machine import HERE, Machine, environment
from tests.support.netns import inside, network

POD = "/etc/kubernetes/manifests/kube-apiserver-pod.yaml"
OTHER = "/etc/kubernetes/manifests/kube-scheduler-pod.yaml"
STAYS = "/etc/kubernetes/manifests/etcd-member-pod.yaml"
COMPLETE = "ConfigMap/kube-system/bootstrap"


def world(**pods: int) -> dict[str, Any]:
    """These pods are in CVO's namespace."""
    named = {name.replace("_", "-"): when for name, when in pods.items()}
    return {**HERE, "pods": {**HERE["pods"], "openshift-cluster-version": named}}


TAKEN_OVER = world(cluster_version_operator_7d9f=0)


def machine_with(tmp_path: Path, given: dict[str, Any], tear_down: str = f"{POD} {OTHER}") -> Machine:
    machine = Machine(tmp_path, given)
    machine.environment(environment(tear_down=tear_down))
    for path in (POD, OTHER, STAYS):
        (machine.root / path[1:]).parent.mkdir(parents=True, exist_ok=True)
        (machine.root / path[1:]).write_text("kind: Pod\n")
    return machine


def there(machine: Machine) -> set[str]:
    return {path for path in (POD, OTHER, STAYS) if (machine.root / path[1:]).exists()}


@pytest.fixture
def space() -> Iterator[str]:
    """A network of the machine's own, in which nobody listens yet."""
    with network([]) as name:
        yield name


@contextmanager
def api_server(space: str, pod: Path | None) -> Iterator[None]:
    """Listens until its pod's file is gone; without a pod, for ever."""
    over = threading.Event()
    with inside(space):
        listener = socket.create_server(("127.0.0.1", 6443))

    def watch() -> None:
        while not over.wait(0.05) and (pod is None or pod.exists()):
            pass
        listener.close()

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def test_the_api_server_is_gone_before_the_bootstrap_is_called_complete(tmp_path: Path, space: str) -> None:
    machine = machine_with(tmp_path, TAKEN_OVER)
    with api_server(space, machine.root / POD[1:]):
        done = machine.run(space=space)
    assert done.returncode == 0, done.stderr + done.stdout
    assert there(machine) == {STAYS}
    assert machine.marked("tear-down")
    assert machine.objects[COMPLETE]["data"] == {"status": "complete"}
    said = done.stdout
    steps = (
        "masters to carry the control plane: yes",
        "own CVO to run: yes",
        "API server to end: yes",
        "the end of the bootstrap to be recorded",
    )
    assert sorted(steps, key=said.index) == list(steps)
    last = [call for call in machine.calls if "--namespace=kube-system" in call]
    assert [call[3] + " " + call[4] for call in last] == ["get pods"] * 2 + ["get configmap", "create configmap"]
    assert machine.calls.index(last[-1]) == len(machine.calls) - 1


def test_without_files_to_take_away_nothing_of_it_happens(tmp_path: Path, space: str) -> None:
    machine = machine_with(tmp_path, HERE, "")
    with api_server(space, None):
        done = machine.run(limit=0, space=space)
    assert done.returncode == 0, done.stderr + done.stdout
    assert there(machine) == {POD, OTHER, STAYS}
    assert not machine.marked("tear-down")
    assert not any("--namespace=openshift-cluster-version" in call for call in machine.calls)


@pytest.mark.parametrize("given", [world(), world(cluster_version_operator_7d9f=None), world(version_operator=0)])
def test_nothing_is_taken_away_before_the_cluster_has_its_own_cvo(
    tmp_path: Path, space: str, given: dict[str, Any]
) -> None:
    machine = machine_with(tmp_path, given)
    done = machine.run(limit=0, space=space)
    assert done.returncode == 1
    assert "no pod cluster-version-operator-* is Ready" in done.stderr
    assert "oc get pods -n openshift-cluster-version" in done.stderr
    assert there(machine) == {POD, OTHER, STAYS}
    assert not machine.marked("tear-down")
    assert COMPLETE not in machine.objects


def test_an_api_server_that_does_not_end_is_said_and_the_next_run_goes_on_from_there(
    tmp_path: Path, space: str
) -> None:
    machine = machine_with(tmp_path, TAKEN_OVER)
    with api_server(space, None):
        done = machine.run(limit=0, space=space)
    assert done.returncode == 1
    assert "port 6443 is still open" in done.stderr
    assert "crictl ps --name kube-apiserver" in done.stderr
    assert there(machine) == {STAYS}
    assert not machine.marked("tear-down")
    assert COMPLETE not in machine.objects
    again = machine.run(limit=0, space=space)
    assert again.returncode == 0, again.stderr + again.stdout
    assert "overrides: done by an earlier run" in again.stdout
    assert machine.finished()
