"""The CRDs that are chosen of the real ones, and files of every shape."""

from __future__ import annotations

import pytest
import yaml

from hardway.model.errors import ToolError
from hardway.release import crds
from tests.support import release_files as release

PROFILE = "include.release.openshift.io/self-managed-high-availability"
BOOTSTRAP = "release.openshift.io/bootstrap-required"
SET = "release.openshift.io/feature-set"
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


def crd(name, **annotations):
    body = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": name, "annotations": {PROFILE: "true", BOOTSTRAP: "true"} | annotations},
    }
    return yaml.safe_dump(body).encode()


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


def test_annotations_choose_and_file_names_do_not():
    files = {
        "CustomNoUpgrade.yaml": crd("a"),
        "b.yml": crd("b", **{SET: "Default,TechPreviewNoUpgrade"}),
        "c.yaml": crd("c", **{SET: "TechPreviewNoUpgrade"}),
        "d.yaml": crd("d", **{PROFILE: "false"}),
        "e.yaml": crd("e", **{BOOTSTRAP: "false"}),
        "f.yaml": b"kind: ConfigMap\ndata: {about: CustomResourceDefinition}\n",
    }
    assert set(crds.select(files)) == {"CustomNoUpgrade.yaml", "b.yml"}
    assert set(crds.select(files, everything=True)) == {"CustomNoUpgrade.yaml", "b.yml", "e.yaml"}
    assert set(crds.select(files, feature_set="TechPreviewNoUpgrade")) == {"CustomNoUpgrade.yaml", "b.yml", "c.yaml"}


def test_of_a_file_with_several_documents_the_chosen_ones_are_taken():
    whole = b"# both\n---\n" + crd("a") + b"--- # and\n" + crd("b")
    mixed = crd("c") + b"---\nkind: Namespace\n---\n" + crd("d", **{SET: "CustomNoUpgrade"}) + b"---\n" + crd("e")
    chosen = crds.select({"whole.yaml": whole, "mixed.yaml": mixed})
    assert chosen["whole.yaml"] is whole
    assert chosen["mixed.yaml"] == crd("c") + b"---\n" + crd("e")


def test_json_and_scalars_that_yaml_has_no_type_for():
    odd = crd("a") + b"spec:\n  enum:\n  - =\n  - =~\n  - 2020-99-99\n"
    as_json = (
        b'\n{"kind": "CustomResourceDefinition", "apiVersion": "apiextensions.k8s.io/v1", "metadata":\t{"name": "b",'
    )
    as_json += f' "annotations": {{"{PROFILE}": "true", "{BOOTSTRAP}": "true"}}}}}}'.encode()
    assert crds.select({"a.yaml": odd, "b.json": as_json}) == {"a.yaml": odd, "b.json": as_json}


def test_a_crd_in_two_forms_is_refused_and_an_equal_twin_is_taken_once():
    with pytest.raises(ToolError, match=r"2\.yaml: a is also in 1\.yaml, in another form"):
        crds.select({"1.yaml": crd("a"), "2.yaml": crd("a", other="x")})
    assert set(crds.select({"1.yaml": crd("a"), "2.yaml": crd("a")})) == {"1.yaml"}


def test_what_a_capability_could_take_away_cannot_be_required():
    with pytest.raises(ToolError, match=r"1\.yaml: a is required at bootstrap and yet part of a capability"):
        crds.select({"1.yaml": crd("a", **{"capability.openshift.io/name": "Build"})})


def test_every_broken_file_is_named():
    broken = b"kind: CustomResourceDefinition\n  x: [\n"
    with pytest.raises(ToolError, match=r"(?s)1\.yaml is neither.*2\.json is neither"):
        crds.select({"1.yaml": broken, "2.json": b'{"CustomResourceDefinition"'})
