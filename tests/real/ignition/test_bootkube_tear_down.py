"""The end of bootkube.sh where operators made the masters: this machine's control plane goes before its etcd member."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.support.bootkube_machine import HERE, MASTERS, Machine
from tests.support.netns import inside, network

POD = "/etc/kubernetes/manifests/kube-apiserver-pod.yaml"
OTHER = "/etc/kubernetes/manifests/kube-scheduler-pod.yaml"
STAYS = "/etc/kubernetes/manifests/etcd-member-pod.yaml"
COMPLETE = "ConfigMap/kube-system/bootstrap"


def world(*names: str) -> dict[str, Any]:
    """Controller-manager and scheduler run on these masters."""
    pods = {f"{what}-{name}": 0 for what in ("kube-controller-manager", "kube-scheduler") for name in names}
    return {**HERE, "pods": {**HERE["pods"], "kube-system": pods}}


def machine_with(tmp_path: Path, given: dict[str, Any], tear_down: str = f"{POD} {OTHER}") -> Machine:
    machine = Machine(tmp_path, given)
    more = f"TEAR_DOWN='{tear_down}'\n" if tear_down else ""
    machine.environment(f"MASTERS='{' '.join(MASTERS)}'\nMASTERS_NEEDED=2\n{more}")
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
    machine = machine_with(tmp_path, world(*MASTERS[:2]))
    with api_server(space, machine.root / POD[1:]):
        done = machine.run(space=space)
    assert done.returncode == 0, done.stderr + done.stdout
    assert there(machine) == {STAYS}
    assert machine.marked("tear-down")
    assert machine.objects[COMPLETE]["data"] == {"status": "complete"}
    said = done.stdout
    steps = ("to run controller-manager", "API server to end: yes", "the end of the bootstrap to be recorded")
    assert sorted(steps, key=said.index) == list(steps)
    last = [call for call in machine.calls if "--namespace=kube-system" in call]
    assert [call[3] + " " + call[4] for call in last] == ["get pods"] * 2 + ["get configmap", "create configmap"]


def test_without_files_to_take_away_nothing_of_it_happens(tmp_path: Path, space: str) -> None:
    machine = machine_with(tmp_path, HERE, "")
    with api_server(space, None):
        done = machine.run(limit=0, space=space)
    assert done.returncode == 0, done.stderr + done.stdout
    assert there(machine) == {POD, OTHER, STAYS}
    assert not machine.marked("tear-down")
    assert not any("pods" in call and "--namespace=kube-system" in call for call in machine.calls)


@pytest.mark.parametrize(
    ("pods", "reason"),
    [
        ({}, "kube-controller-manager runs on 0 of 2 masters"),
        ({"kube-controller-manager-master-1": 0}, "kube-controller-manager runs on 1 of 2 masters"),
        (
            {f"kube-controller-manager-{name}": 0 for name in MASTERS} | {"kube-scheduler-bootstrap": 0},
            "kube-scheduler runs on 0 of 2 masters",
        ),
    ],
)
def test_nothing_is_taken_away_before_the_masters_can_do_without(
    tmp_path: Path, space: str, pods: dict[str, int], reason: str
) -> None:
    machine = machine_with(tmp_path, {**HERE, "pods": {**HERE["pods"], "kube-system": pods}})
    done = machine.run(limit=0, space=space)
    assert done.returncode == 1
    assert reason in done.stderr
    assert "oc get pods -n kube-system" in done.stderr
    assert there(machine) == {POD, OTHER, STAYS}
    assert not machine.marked("tear-down")
    assert COMPLETE not in machine.objects


def test_an_api_server_that_does_not_end_is_said_and_the_next_run_goes_on_from_there(
    tmp_path: Path, space: str
) -> None:
    machine = machine_with(tmp_path, world(*MASTERS))
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
