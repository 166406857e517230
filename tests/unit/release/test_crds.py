"""The CRDs that are chosen of the real ones, and files of every shape."""

from __future__ import annotations

import pytest
import yaml

from hardway.model.errors import ToolError
from hardway.release import crds

PROFILE = "include.release.openshift.io/self-managed-high-availability"
BOOTSTRAP = "release.openshift.io/bootstrap-required"
SET = "release.openshift.io/feature-set"


def crd(name, **annotations):
    body = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": name, "annotations": {PROFILE: "true", BOOTSTRAP: "true"} | annotations},
    }
    return yaml.safe_dump(body).encode()


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
    with pytest.raises(ToolError, match=r"1\.yaml: a is required at bootstrap but part of a capability"):
        crds.select({"1.yaml": crd("a", **{"capability.openshift.io/name": "Build"})})


def test_every_broken_file_is_named():
    broken = b"kind: CustomResourceDefinition\n  x: [\n"
    with pytest.raises(ToolError, match=r"(?s)1\.yaml is neither.*2\.json is neither"):
        crds.select({"1.yaml": broken, "2.json": b'{"CustomResourceDefinition"'})
