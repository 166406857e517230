"""Stage 17's check of pods, with a real API server: each way in which a pod does not start, and the normal ones."""

from __future__ import annotations

import pytest

from hardway.checks.live import pods
from hardway.checks.live.given import Given
from hardway.checks.live.work import PODS
from hardway.drive.client import Trouble, path
from tests.support.operators.ground import cluster_folder, control_plane
from tests.support.operators.stories import final

SPACE = {"name": "space", "labels": {"openshift.io/run-level": "0"}}  # admission asks no constraints here


@pytest.fixture(scope="module")
def given(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pods")
    with control_plane(cluster_folder(folder / "cluster", "ecdsa-p256"), folder / "nodes") as at:
        at.create({"apiVersion": "v1", "kind": "Namespace", "metadata": SPACE})
        account = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "default", "namespace": "space"}}
        at.create(account)
        yield final(at, seconds=0.1)


def planted(given: Given, name: str, *, init: bool = False, restarts: int = 0, **state):
    """What the check says about a pod whose one container is in this state; the pod is gone afterwards."""
    container = {"name": "main", "image": "example.com/one"}
    spec = {"containers": [container], "initContainers": [{**container, "name": "setup"}]}
    body = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "namespace": "space"}, "spec": spec}
    made = given.live.api.create(path(PODS, namespace="space"), body)
    assert not isinstance(made, Trouble), made
    common = {"image": "example.com/one", "imageID": "", "ready": False, "restartCount": restarts, "state": state}
    field, called = ("initContainerStatuses", "setup") if init else ("containerStatuses", "main")
    place = path(PODS, name, namespace="space")
    said = given.live.api.patch(f"{place}/status", {"status": {field: [{"name": called, **common}]}})
    assert not isinstance(said, Trouble), said
    try:
        return [(flaw.subject, flaw.message) for flaw in pods.broken(given)]
    finally:
        given.live.api.delete(f"{place}?gracePeriodSeconds=0")


@pytest.mark.parametrize("reason", ["CreateContainerError", "ImagePullBackOff", "InvalidImageName"])
@pytest.mark.parametrize("init", [False, True])
def test_a_container_that_cannot_start_is_named_with_its_words(given, reason, init):
    found = planted(given, "one", init=init, waiting={"reason": reason, "message": "no such program"})
    called = "setup" if init else "main"
    assert found == [("space/one", f"container {called}: {reason}: no such program")]


def test_a_container_that_ends_again_and_again_is_named(given):
    waiting = {"reason": "CrashLoopBackOff", "message": "back-off"}
    found = planted(given, "two", restarts=pods.RESTARTS, waiting=waiting)
    assert found == [("space/two", "container main: CrashLoopBackOff: back-off")]


@pytest.mark.parametrize(
    ("name", "restarts", "state"),
    [
        ("early", pods.RESTARTS - 1, {"waiting": {"reason": "CrashLoopBackOff"}}),
        ("new", 0, {"waiting": {"reason": "ContainerCreating"}}),
        ("later", 0, {"waiting": {"reason": "PodInitializing"}}),
        ("over", 0, {"terminated": {"exitCode": 0}}),
        ("well", 9, {"running": {}}),
    ],
)
def test_what_is_normal_is_not_named(given, name, restarts, state):
    assert planted(given, name, restarts=restarts, **state) == []
