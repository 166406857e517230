"""Which feature gates the control plane is started with."""

from __future__ import annotations

import pytest

from hardway.lines.default import DEFAULT
from hardway.release.catalogue import feature_gates
from hardway.staticpods import gates
from tests.support.manifests import made

SETS = ("", "TechPreviewNoUpgrade", "DevPreviewNoUpgrade")


@pytest.mark.parametrize("gate", DEFAULT.gates, ids=lambda gate: gate.name)
@pytest.mark.parametrize("feature_set", SETS)
def test_the_release_has_a_word_about_every_gate_of_the_table(gate, feature_set):
    enabled, disabled = feature_gates(DEFAULT)[feature_set or "Default"]
    assert (gate.name in enabled) != (gate.name in disabled)


@pytest.mark.parametrize("name", ["kube-apiserver", "kube-controller-manager", "kube-scheduler"])
def test_the_default_set(flags, name):
    [text] = flags(name)["--feature-gates"]
    assert "KMSv1=true" in text.split(",")
    assert "NodeSwap=false" in text.split(",")
    assert {part.partition("=")[0] for part in text.split(",")} == {gate.name for gate in DEFAULT.gates}
    assert "--runtime-config" not in flags(name)


def test_a_gate_brings_its_api(flags):
    assert "DynamicResourceAllocation=true" in flags("kube-apiserver", "tech-preview")["--feature-gates"][0]
    assert flags("kube-apiserver", "tech-preview")["--runtime-config"] == [
        "resource.k8s.io/v1alpha3=true,storage.k8s.io/v1beta1=true"
    ]


def test_the_users_own_list_wins_and_unknown_names_are_left_out():
    own = ["NodeSwap=1", "KMSv1=false", "GatewayAPI=true"]
    cluster = made(featureSet="CustomNoUpgrade", featureGates=own).cluster
    found = gates.settings(cluster)
    assert (found["NodeSwap"], found["KMSv1"]) == (True, False)
    assert "GatewayAPI" not in found
    assert gates.apis(cluster) == ()
