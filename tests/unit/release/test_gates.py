"""Feature gates out of the real manifests, and what can be wrong with them."""

from __future__ import annotations

import json

import pytest

from hardway.model.errors import ToolError
from hardway.release import gates

PROFILE = "include.release.openshift.io/self-managed-high-availability"


def manifest(feature_set="", version="", enabled=("A",), disabled=("B",), annotation=PROFILE, indent=None):
    body = {
        "apiVersion": "config.openshift.io/v1",
        "kind": "FeatureGate",
        "metadata": {"name": "cluster", "annotations": {annotation: "false-except-for-the-config-operator"}},
        "spec": {"featureSet": feature_set} if feature_set else {},
        "status": {
            "featureGates": [
                {
                    "version": version,
                    "enabled": [{"name": name} for name in enabled],
                    "disabled": [{"name": name} for name in disabled],
                }
            ]
        },
    }
    return json.dumps(body, indent=indent).encode()


def test_file_names_do_not_matter():
    found = gates.read({"one.json": manifest(), "zwei.yaml": manifest("X", enabled=("B", "A"), disabled=())}, "4.18.0")
    assert found == {"Default": (("A",), ("B",)), "X": (("A", "B"), ())}


def test_another_profile_and_a_gate_without_status_are_passed_over():
    hosted = manifest(annotation="include.release.openshift.io/ibm-cloud-managed")
    plain = b"apiVersion: config.openshift.io/v1\nkind: FeatureGate\nmetadata: {name: cluster}\nspec: {}\n"
    assert gates.read({"a.yaml": hosted, "b.yaml": plain}, "4.18.0") == {}


@pytest.mark.parametrize(
    ("manifests", "message"),
    [
        ({"a.json": manifest(version="4.17.0")}, "a.json: its gates are of another version than 4.18.0"),
        ({"a.json": manifest(disabled=("A", "C"))}, "a.json: both enabled and disabled: A"),
        ({"a.json": manifest(), "b.json": manifest(enabled=())}, "b.json: another manifest has other gates"),
        ({"a.json": b"{FeatureGate"}, "a.json is neither YAML nor JSON"),
        ({"a.yaml": b"FeatureGate: [\n"}, "a.yaml is neither YAML nor JSON"),
        ({"a.yaml": b"FeatureGate"}, "a document in it is not a mapping"),
    ],
)
def test_what_is_wrong_is_said(manifests, message):
    with pytest.raises(ToolError, match=message):
        gates.read(manifests, "4.18.0")


def test_the_releases_own_version_and_an_equal_twin_are_right():
    twin = {"a.json": manifest(version="4.18.0"), "b.json": manifest(version="4.18.0", indent=2)}
    assert gates.read(twin, "4.18.0") == {"Default": (("A",), ("B",))}
