"""Ours beside what openshift-install wrote: every difference has its row, and every row its difference."""

from __future__ import annotations

import json

import pytest
import yaml

from hardway.compare.installer.comparison import compare
from hardway.compare.installer.differences import differences
from hardway.compare.installer.expected.scripts import FLAGS, STAGE_BY_STAGE, TEXTS
from hardway.compare.installer.expected.table import EXPECTED
from hardway.compare.installer.expected.units import SETTINGS
from hardway.compare.installer.reading import read_ours, read_reference
from tests.support import references
from tests.support.clusters import install_config
from tests.support.installer_like import installer_like
from tests.support.manifests import make
from tests.support.planting import edit

RSA = {"keys": "rsa-2048"}
KNOWN_BY_NAME = {"bootkube-enabled", "zincati-dropin"}
NEEDS_IGNITION = {row.name for row in (*TEXTS, *FLAGS, *STAGE_BY_STAGE, *SETTINGS)} - KNOWN_BY_NAME | {
    "host-not-checked"
}
NEEDS_SETTINGS = {"key-kind", "key-usage"}
NEEDS_STAGE_04 = {"crds"}
NEEDS_PARTITIONING = {"cpu-partitioning"}


def bootstrap(text, **settings):
    return make(text, **settings).content("ignition/bootstrap")


def rsa_bootstrap(text):
    return bootstrap(text, **RSA)


@pytest.mark.parametrize("name", references.WHOLE)
def test_the_whole_installer_output_is_explained(name):
    report = compare(references.WHOLE[name], rsa_bootstrap)
    assert report.ok, report.as_text()
    assert report.compared == {"files": 100, "units": 11, "certificates": 46, "documents": 19, "kubeconfigs": 3}


@pytest.mark.parametrize("name", references.changes())
def test_other_configurations_are_explained_by_the_same_rows(name, tmp_path):
    report = compare(references.write(name, tmp_path), rsa_bootstrap)
    assert report.ok, report.as_text()


def rows_of(found):
    return {difference.row.name for difference in found if difference.row}


def ignition_rows(tmp_path):
    """The rows that only a real bootstrap.ign can show, because a description leaves contents out."""
    theirs = installer_like()
    config = install_config(fips=True, sshKey="")
    kept = {"data": {"install-config": yaml.safe_dump(config)}}
    edit(theirs, "/opt/openshift/manifests/cluster-config.yaml", lambda body: body.update(kept))
    theirs["passwd"]["users"] = [{"name": "core", "sshAuthorizedKeys": ["", "ssh-rsa AAAA"]}]
    target = tmp_path / "bootstrap.ign"
    target.write_text(json.dumps(theirs))
    return rows_of(differences(read_reference(target), read_ours(bootstrap(yaml.safe_dump(config)))))


def test_every_row_is_needed(tmp_path):
    used = set()
    for name in references.WHOLE:
        used |= rows_of(compare(references.WHOLE[name], rsa_bootstrap).differences)
    assert used & NEEDS_IGNITION == set()
    used |= ignition_rows(tmp_path)
    used |= rows_of(compare(references.WHOLE["3+2"], bootstrap).differences)
    crds = {"one.yaml": b"kind: CustomResourceDefinition\n"}
    used |= rows_of(compare(references.WHOLE["3+2"], lambda text: bootstrap(text, crds=crds, **RSA)).differences)
    used |= rows_of(compare(references.write("cpupart", tmp_path), rsa_bootstrap).differences)
    assert used >= NEEDS_IGNITION | NEEDS_SETTINGS | NEEDS_STAGE_04 | NEEDS_PARTITIONING
    assert [row.name for row in EXPECTED if row.name not in used] == []


def test_rows_have_names_of_their_own_and_reasons():
    names = [row.name for row in EXPECTED]
    assert len(names) == len(set(names))
    assert all(len(row.what) > 15 for row in EXPECTED)


def test_a_build_is_no_different_from_itself(tmp_path):
    ours = bootstrap(yaml.safe_dump(install_config()))
    target = tmp_path / "bootstrap.ign"
    target.write_bytes(ours)
    assert differences(read_reference(target), read_ours(ours)) == []


def test_two_builds_of_one_cluster_differ_in_nothing_that_counts(tmp_path):
    text = yaml.safe_dump(install_config())
    target = tmp_path / "bootstrap.ign"
    target.write_bytes(bootstrap(text))
    found = differences(read_reference(target), read_ours(bootstrap(text, seed="another")))
    assert [(d.thing, d.aspect) for d in found] == []
