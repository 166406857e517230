"""Another release for a cluster that is up: what ClusterVersion of a real API server is asked, and what it answers."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
import yaml

from hardway.drive.client import Trouble
from hardway.drive.observe import VERSION
from hardway.lab import releases, replace
from hardway.lab.paths import LabPaths
from hardway.lab.prepared import Prepared
from hardway.labrelease import places
from hardway.labrelease.checkouts.read import Checkout
from hardway.labrelease.checkouts.table import BY_NAME
from hardway.labrelease.compile.all import compiled
from hardway.labrelease.components.table import component
from hardway.labrelease.materials import Materials
from hardway.model.errors import CheckError, ConfigError, ToolError
from tests.support.apiserver import start_control_plane
from tests.support.lab import programs as lab_programs
from tests.support.netns import inside
from tests.support.node_roots import nodes
from tests.support.trees import built_now
from tests.support.waiting import until

WORKSPACE = built_now(keys="ecdsa-p256")
CLUSTER = WORKSPACE.loaded.cluster
TYPES = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
CRD = "config/v1/zz_generated.crd-manifests/0000_00_cluster-version-operator_01_clusterversions-Default.crd.yaml"
REGISTRY = "10.0.0.1:5000/hardway"
WHEN = "2026-01-01T00:00:00Z"


@pytest.fixture(scope="module")
def api(tmp_path_factory):
    """With the type of ClusterVersion, and the one object of it."""
    definition = yaml.safe_load((compiled(component("api")) / "data" / CRD).read_text())
    with nodes(CLUSTER, tmp_path_factory.mktemp("nodes")) as made, inside(made.hub):
        client = start_control_plane(WORKSPACE, made)
        assert not isinstance(client.create(TYPES, definition), Trouble)
        body = {
            "apiVersion": "config.openshift.io/v1",
            "kind": "ClusterVersion",
            "metadata": {"name": "version"},
            "spec": {"clusterID": "0b5c2a0e-6b0c-4d0e-8f57-3f4a1f4a2b11"},
        }
        collection = VERSION.rpartition("/")[0]
        until(lambda: not isinstance(client.create(collection, body), Trouble), lambda: str(client.get(VERSION)))
        yield client


def seen(api, image, state, message="CVO works", **others):
    """What CVO would write."""
    found = dict(api.get(VERSION))
    row = {"image": image, "state": state, "version": "4.18.0-lab.operators", "startedTime": WHEN, "verified": False}
    row["completionTime"] = WHEN if state == "Completed" else None
    condition = {"type": "Progressing", "status": "True", "message": message, "lastTransitionTime": WHEN}
    found["status"] = {
        "desired": {"image": image, "version": row["version"]},
        "history": [row, *others.get("before", ())],
        "conditions": [condition],
        "observedGeneration": 1,
        "versionHash": "",
        "availableUpdates": None,
    }
    answer = api.replace(f"{VERSION}/status", found)
    assert not isinstance(answer, Trouble), answer


@pytest.fixture
def prepared(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    places.programs().mkdir(parents=True)
    folder = tmp_path / "lab"
    folder.mkdir()
    nothing = Materials(ignition=Path(), programs={})
    paths = LabPaths(name="lab", folder=folder)
    made = dataclasses.replace(CLUSTER, operators=("etcd", "kube-apiserver"))  # as the lab's release has them
    return Prepared(folder=tmp_path, paths=paths, cluster=made, materials=nothing)


@pytest.fixture
def built(tmp_path, prepared):
    """The release that runs, and one with a component of another checkout."""
    made = lab_programs.made(places.programs(), BY_NAME["service-ca-operator"])
    first = lab_programs.build(tmp_path, "operators", REGISTRY)
    releases.keep(prepared.paths, first, install=True)
    return first, lab_programs.build(tmp_path, "operators", REGISTRY, [made])


def test_a_cluster_that_was_never_complete_is_left_alone(api, prepared, built):
    seen(api, built[0].pull_spec, "Partial")
    with pytest.raises(ToolError, match="the cluster is not complete yet"):
        replace.running(prepared, api)


def test_a_release_of_somebody_else_is_left_alone(api, prepared, built):
    seen(api, built[1].pull_spec, "Completed")
    with pytest.raises(ToolError, match="a release that hardway did not make for it"):
        replace.running(prepared, api)


def test_one_that_a_component_has_broken_can_get_a_better_one(api, prepared, built):
    before = {"image": "old", "state": "Completed", "version": "v", "startedTime": WHEN, "verified": False}
    seen(api, built[0].pull_spec, "Partial", before=[{**before, "completionTime": WHEN}])
    now = replace.running(prepared, api)
    assert (now.digest, now.known.made) == (built[0].digest, ())
    assert replace.changed(now, built[1]) == ["service-ca-operator"]


def test_of_a_hand_made_control_plane_cvo_replaces_nothing(api, prepared, tmp_path):
    core = lab_programs.build(tmp_path, "core", REGISTRY)
    releases.keep(prepared.paths, core, install=True)
    seen(api, core.pull_spec, "Completed")
    now = replace.running(prepared, api)
    with pytest.raises(ConfigError, match=r"its control plane is hand-made[^`]*fix: .*`hardway lab release build"):
        replace.demand(prepared, now, [Checkout(kit=BY_NAME["kubernetes"], folder=tmp_path)])
    with pytest.raises(
        ConfigError, match=r"its control plane is hand-made.*\n.*--road operators`, and replace it there"
    ):
        replace.demand(prepared, now, [Checkout(kit=BY_NAME["service-ca-operator"], folder=tmp_path)])


def test_what_nodes_were_made_with_is_refused_and_all_of_it_is_named(api, prepared, built):
    seen(api, built[0].pull_spec, "Completed")
    now = replace.running(prepared, api)
    named = [
        Checkout(kit=BY_NAME[name], folder=prepared.folder) for name in ("cluster-policy-controller", "kube-rbac-proxy")
    ]
    with pytest.raises(ConfigError) as error:
        replace.demand(prepared, now, [*named, Checkout(kit=BY_NAME["service-ca-operator"], folder=prepared.folder)])
    assert str(error.value).splitlines() == [
        "lab lab cannot take this over. cluster-policy-controller: its static pod is made by hand; "
        "kube-rbac-proxy: it is part of the nodes.",
        f"    fix: bring another lab up: {replace.ANOTHER}",
    ]
    both = [*named[:1], Checkout(kit=BY_NAME["cluster-kube-controller-manager-operator"], folder=prepared.folder)]
    replace.demand(prepared, now, both)
    assert not any(found.kept for _, found in replace.reaches(prepared, now, both))


def test_the_api_server_takes_what_is_asked_and_every_step_of_cvo_is_told(api, prepared, built):
    first, second = built
    seen(api, first.pull_spec, "Completed")
    replace.ask(api, second)
    asked = api.get(VERSION)["spec"]["desiredUpdate"]
    assert (asked["image"], asked["version"], asked["force"]) == (second.pull_spec, second.version, True)
    steps = iter([("Partial", "half of it"), ("Completed", "all of it")])
    told = []
    replace.follow(api, second, told.append, sleep=lambda _: seen(api, second.pull_spec, *next(steps)))
    assert [(event.kind, event.text) for event in told[:2]] == [
        ("waiting", "CVO fetches the release"),
        ("waiting", "half of it"),
    ]
    assert [event.kind for event in told[2:]] == ["finished"]


def test_what_does_not_end_says_what_cvo_waits_for(api, built):
    seen(api, built[1].pull_spec, "Partial", "deployment service-ca-operator is not available")
    with pytest.raises(CheckError, match="deployment service-ca-operator is not available"):
        replace.follow(api, built[1], lambda event: None, sleep=lambda _: None, limit=0.0)
