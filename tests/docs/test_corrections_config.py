"""Corrections to what the notes say of install-config, the plan and bootkube.sh."""

from __future__ import annotations

import copy
import json
import re
from importlib.resources import files
from pathlib import Path

import pytest
import yaml

from hardway.manifests.identity import SUFFIX_ALPHABET
from hardway.model.config.load import Inputs, load
from hardway.model.errors import ConfigError
from hardway.release.catalogue import release_for
from tests.docs import notes
from tests.support.bootkube_machine import HERE, MANIFESTS, Machine, thing
from tests.support.trees import built

SCRIPT = files("hardway.ignition").joinpath("files/bootkube.sh").read_text()


def read(config):
    return load(Inputs(install_config=yaml.safe_dump(config)), release_for)


def rules(config):
    with pytest.raises(ConfigError) as caught:
        read(config)
    return {problem.path for problem in caught.value.problems if not problem.warning}


def test_the_sample_install_config_is_refused_for_its_unnamed_pool():
    assert rules(notes.INSTALL_CONFIG) == {"compute[0].name"}
    named = copy.deepcopy(notes.INSTALL_CONFIG)
    named["compute"][0]["name"] = "worker"
    assert read(named).cluster.compute_replicas == 2


def test_openshift_sdn_is_refused():
    config = copy.deepcopy(notes.INSTALL_CONFIG)
    config["compute"][0]["name"] = "worker"
    config["networking"]["networkType"] = "OpenShiftSDN"
    assert rules(config) == {"networking.networkType"}


def test_two_masters_are_single_replica_too():
    config = copy.deepcopy(notes.INSTALL_CONFIG)
    config["compute"][0]["name"] = "worker"
    for masters, topology in ((1, "SingleReplica"), (2, "SingleReplica"), (3, "HighlyAvailable")):
        config["controlPlane"]["replicas"] = masters
        assert read(config).cluster.control_plane_topology == topology


def test_the_infrastructure_name_of_the_notes_cannot_come_out():
    """Five characters of an alphabet without vowels and without 0, 1 and 3."""
    shape = re.compile(rf"ocp4-[{SUFFIX_ALPHABET}]{{5}}\Z")
    assert not shape.match("ocp4-abc123")
    assert shape.match((built().store.root / "plan/infra-id").read_text())


def test_nothing_is_left_to_render_on_the_node():
    """What the real script renders, in sixteen steps, lies finished in ours; there is no authentication step at all."""
    document = json.loads((built().store.root / "bootstrap.ign").read_text())
    paths = {f["path"] for f in document["storage"]["files"]}
    for pod in ("etcd-member", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "bootstrap"):
        assert f"/etc/kubernetes/manifests/{pod}-pod.yaml" in paths
    assert "podman" not in SCRIPT
    assert "render" not in SCRIPT.replace("rendered", "")


def test_creating_an_object_does_not_write_its_status(tmp_path: Path):
    """Infrastructure, Ingress, FeatureGate and Proxy lose it; bootkube.sh writes it with a second call."""
    kinds = ("Infrastructure", "Ingress", "FeatureGate", "Proxy")
    manifests = {f"manifests/{k}.yaml": thing(k, more="spec: {}\nstatus:\n  said: yes\n") for k in kinds}
    version = {"manifests/cvo.yaml": MANIFESTS["manifests/cvo-overrides.yaml"]}
    machine = Machine(tmp_path, HERE | {"types": dict.fromkeys((*kinds, "ClusterVersion"), 0)}, manifests | version)
    done = machine.run()
    assert done.returncode == 0, done.stderr
    assert [machine.objects[f"{kind}//cluster"]["status"] for kind in kinds] == [{"said": True}] * 4
    written = [call for call in machine.calls if "--subresource=status" in call]
    assert len(written) == 1


def test_manifests_do_not_need_their_types_first(tmp_path: Path):
    """CVO may bring the type later: creation is repeated until it is there."""
    without = {name: text for name, text in MANIFESTS.items() if not name.startswith("crds/")}
    machine = Machine(tmp_path, HERE | {"types": {"Infrastructure": 12, "ClusterVersion": 18}}, without)
    done = machine.run()
    assert done.returncode == 0, done.stderr
    assert 'no matches for kind "Infrastructure"' in done.stdout
    assert "Infrastructure//cluster" in machine.objects


def test_overrides_go_by_a_null_and_not_by_applying_again(tmp_path: Path):
    """A ClusterVersion without overrides, merged over one with them, leaves them; only a null takes them away."""
    patch = (built().store.root / "original_cvo_overrides.patch").read_text()
    assert json.loads(patch) == {"spec": {"overrides": None}}
    machine = Machine(tmp_path, HERE)
    assert machine.run().returncode == 0
    assert "overrides" not in machine.objects["ClusterVersion//version"]["spec"]


def test_the_end_is_a_config_map_that_bootkube_writes(tmp_path: Path):
    """The etcd operator and the installer wait for it; no listener program exists."""
    machine = Machine(tmp_path, HERE)
    assert machine.run().returncode == 0
    assert machine.objects["ConfigMap/kube-system/bootstrap"]["data"] == {"status": "complete"}
    assert "bootstrap-progress-listener" not in SCRIPT


def test_readiness_is_asked_with_a_certificate_on_readyz():
    assert "--raw=/readyz" in SCRIPT
    assert "/healthz" not in SCRIPT
    assert not re.search(r"curl\b.*(\s-k\b|--insecure)", SCRIPT)
