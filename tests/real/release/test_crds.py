"""The CRDs that are chosen of the real ones."""

from __future__ import annotations

import yaml

from hardway.release import crds
from tests.support.release import files as release

AT_BOOTSTRAP = [
    "apiservers",
    "authentications",
    "clusterresourcequotas",
    "consoles",
    "dnses",
    "featuregates",
    "imagecontentpolicies",
    "imagecontentsourcepolicies",
    "imagedigestmirrorsets",
    "images",
    "imagetagmirrorsets",
    "infrastructures",
    "ingresses",
    "networks",
    "nodes",
    "oauths",
    "projects",
    "proxies",
    "rangeallocations",
    "rolebindingrestrictions",
    "schedulers",
    "securitycontextconstraints",
]
OWN = ["clusteroperators", "clusterversions"]


def plurals(files):
    return sorted(yaml.load(content, yaml.CBaseLoader)["spec"]["names"]["plural"] for content in files.values())


def test_the_bootstrap_takes_22_and_the_version_operators_two():
    chosen = crds.select(release.manifests())
    assert plurals(chosen) == sorted(AT_BOOTSTRAP + OWN)
    assert len(AT_BOOTSTRAP) == 22
    assert all(content is release.manifests()[name] for name, content in chosen.items())


def test_the_api_alone_has_22_of_98():
    everything = release.of_module(release.CRDS)
    assert len(everything) == 98
    assert plurals(crds.select(everything)) == AT_BOOTSTRAP


def test_everything_of_the_default_feature_set():
    chosen = crds.select(release.manifests(), everything=True)
    assert len(crds.select(release.of_module(release.CRDS), everything=True)) == 40
    assert len(chosen) == 40 + len(OWN)
    assert set(crds.select(release.manifests())) < set(chosen)
    names = plurals(chosen)
    assert {"machineconfigs", "etcds", "clusterversions"} <= set(names)
    assert "etcdbackups" not in names


def test_another_feature_set_brings_its_own_forms():
    chosen = crds.select(release.manifests(), feature_set="TechPreviewNoUpgrade", everything=True)
    assert "etcdbackups" in plurals(chosen)
    assert not any("-Default." in name or "Hypershift" in name or "-Custom" in name for name in chosen)
    assert "0000_00_cluster-version-operator_01_clusterversions-TechPreviewNoUpgrade.crd.yaml" in chosen


def test_at_bootstrap_the_version_operator_brings_the_default_form_whatever_the_feature_set():
    chosen = crds.select(release.manifests(), feature_set="TechPreviewNoUpgrade")
    assert "0000_00_cluster-version-operator_01_clusterversions-Default.crd.yaml" in chosen
    assert "0000_10_config-operator_01_nodes-TechPreviewNoUpgrade.crd.yaml" in chosen
    assert plurals(chosen) == sorted({*AT_BOOTSTRAP, *OWN, *plurals(chosen)})
