"""The types of a line: each has one source, which is of the line."""

from __future__ import annotations

from collections import Counter

from hardway.lines.default import DEFAULT


def test_every_source_is_a_folder_at_the_lines_versions():
    groups = DEFAULT.facts("kinds.json")
    for source in (*groups["served"], *groups["defined"]):
        repository, version, folder = source.split()
        assert version == (DEFAULT.kubernetes if repository == "kubernetes" else DEFAULT.branch), source
        assert repository == "kubernetes" or repository.startswith("openshift/"), source
        assert not folder.startswith("/"), source


def test_a_type_has_one_source():
    groups = DEFAULT.facts("kinds.json")
    types = Counter(
        (api, kind)
        for group in groups.values()
        for found in group.values()
        for api, kinds in found.items()
        for kind in kinds.split()
    )
    assert [name for name, count in types.items() if count > 1] == []
    assert set(types) == DEFAULT.kinds


def test_versions_that_the_payload_does_not_have_are_unknown():
    """openshift/api still generates their CRDs, and the payload takes the newer version."""
    assert ("machineconfiguration.openshift.io/v1", "MachineOSBuild") in DEFAULT.kinds
    assert ("machineconfiguration.openshift.io/v1alpha1", "MachineOSBuild") not in DEFAULT.kinds
    assert ("operator.openshift.io/v1alpha1", "OLM") not in DEFAULT.kinds


def test_what_is_in_no_namespace_is_known():
    known = {(api.rpartition("/")[0], kind) for api, kind in DEFAULT.kinds}
    assert DEFAULT.cluster_scoped <= known
    assert ("", "Namespace") in DEFAULT.cluster_scoped
    assert ("", "ConfigMap") not in DEFAULT.cluster_scoped
