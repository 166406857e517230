"""The command that `status` names for a stage of the running cluster: it must not be one that refuses the folder."""

from __future__ import annotations

import pytest

from hardway.lab import cluster_files
from hardway.lab.stages import stages
from hardway.lab.up import draft
from hardway.model.errors import ConfigError
from hardway.places.remembered import Place, remember
from hardway.workspace.folder import open_workspace
from tests.support.clusters import install_config
from tests.support.trees import write_folder


def said(folder):
    return next(row.reasons for row in stages(open_workspace(folder)) if row.stage.number == "10")


def test_without_a_release_of_ones_own_a_lab_is_offered(tmp_path):
    assert said(write_folder(tmp_path, install_config())) == ("hardway lab up --until 10",)


def test_where_a_lab_refuses_the_release_the_command_for_machines_is_named(tmp_path):
    folder = write_folder(tmp_path, install_config(), release="4.18.0")
    with pytest.raises(ConfigError, match=r"names the release 4[.]18[.]0"):
        cluster_files.new_lines(folder, draft(folder, None, None))
    assert said(folder) == ("hardway run 10",)


@pytest.mark.parametrize("road", ["hand", "operators"])
def test_a_release_that_a_lab_has_written_is_no_obstacle(tmp_path, road):
    folder = write_folder(tmp_path, install_config(), mco=False, comments="none")
    cluster = draft(folder, None, road)
    cluster_files.adopt(folder, cluster)
    assert cluster_files.fits(folder, cluster)
    assert cluster_files.new_lines(folder, cluster) == []


def test_machines_that_are_remembered_are_asked(tmp_path):
    folder = write_folder(tmp_path, install_config())
    (folder / "assets").mkdir()
    remember(folder, Place(kind="libvirt"))
    assert said(folder) == ("hardway run 10",)
