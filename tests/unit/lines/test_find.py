"""Which versions belong to a line, and that each line is complete."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest

from hardway.labrelease.payload import assemble
from hardway.lines.builtin import MINOR, RELEASE
from hardway.lines.default import DEFAULT
from hardway.lines.find import known_lines, line_of, minor_of
from hardway.release.catalogue import feature_gates, release_of

PARTS = ("etcd", "hyperkube", "cluster-version-operator", "machine-config-operator", "pod")
each_line = pytest.mark.parametrize("line", known_lines(), ids=lambda line: line.minor)


@pytest.mark.parametrize(
    "version",
    ["4.18.0", "4.18.41", "4.18.0-rc.1", "4.18.0-ec.4", "4.18.0-0.nightly-2025-02-20-123456", "4.18.3+build.7"],
)
def test_every_release_of_the_minor_version_is_of_the_line(version):
    assert line_of(version) is DEFAULT


@pytest.mark.parametrize("chosen", ["core", "operators"])
def test_the_labs_release_is_of_the_line(chosen):
    assert line_of(assemble.version(chosen)) is DEFAULT


@pytest.mark.parametrize("version", ["4.19.3", "4.17.0-rc.2", "4.180.0", "4.1.18", "14.18.0", "5.18.0"])
def test_another_minor_version_has_no_line(version):
    assert minor_of(version)
    assert line_of(version) is None


@pytest.mark.parametrize("text", ["", "4.18", "v4.18.0", "oci:release", "quay.io/x/y:4.18.0", "4.18.0 ", "4.18.0/.."])
def test_what_is_no_version_has_no_line(text):
    assert (minor_of(text), line_of(text)) == ("", None)


@each_line
def test_the_built_in_release_is_of_its_line(line):
    release = release_of(line)
    assert release.line is line
    assert set(PARTS) <= set(release.images)
    assert all("@sha256:" in image for image in (release.image, *release.images.values()))


@each_line
def test_the_gates_of_kubernetes_are_gates_of_the_release(line):
    for enabled, disabled in feature_gates(line).values():
        assert {gate.name for gate in line.gates} <= {*enabled, *disabled}
        assert not set(enabled) & set(disabled)
    assert not {gate.name for gate in line.gates} & set(line.locked_gates)


@each_line
def test_each_capability_set_has_what_the_ones_before_it_have(line):
    sets = list(line.capability_sets.values())
    assert all(one <= next_one for one, next_one in pairwise(sets))
    assert list(line.capability_sets)[-2:] == [f"v{line.minor}", "vCurrent"]


@each_line
def test_the_machines_read_what_is_written_for_them(line):
    assert {line.ignition.written, line.ignition.rendered} <= set(line.ignition.read)


@each_line
def test_versions_agree(line):
    assert line.lab_kubernetes.startswith(f"{line.kubernetes}.")
    assert (line.branch, line.channel) == (f"release-{line.minor}", f"stable-{line.minor}")


def test_the_labs_kubernetes_is_the_one_that_is_pinned():
    from hardway.labrelease.components import table as components
    from hardway.labrelease.payload.assemble import metadata, with_versions

    assert components.component("kubernetes").version == DEFAULT.lab_kubernetes
    assert with_versions("0.0.1-snapshot-kubernetes", "x") == DEFAULT.lab_kubernetes
    assert json.loads(metadata("core"))["version"] == f"{DEFAULT.release}-lab.core"


def test_help_texts_name_the_built_in_release():
    assert (DEFAULT.minor, DEFAULT.release) == (MINOR, RELEASE)
