"""What a lab writes into a user's hardway.yaml."""

from __future__ import annotations

import pytest
import yaml

from hardway.lab import cluster_files
from hardway.lab.up import draft
from hardway.model.errors import ConfigError
from tests.support.clusters import install_config
from tests.support.trees import write_folder


@pytest.fixture
def folder(tmp_path):
    return write_folder(tmp_path, install_config())


@pytest.mark.parametrize("text", ["", "keys: rsa-2048", "# nothing\n", "---\nkeys: rsa-2048\n"])
def test_its_lines_are_added_at_the_end(folder, text):
    (folder / "hardway.yaml").write_text(text)
    lines = cluster_files.adopt(folder, draft(folder, None, "operators"))
    said = (folder / "hardway.yaml").read_text()
    assert said.startswith(text)
    assert yaml.safe_load(said)["road"] == "operators"
    assert cluster_files.kept_lines(folder, draft(folder, None, None)) == lines


@pytest.mark.parametrize("text", ["{}\n", "{keys: rsa-2048}\n", "keys: rsa-2048\n...\n"])
def test_a_file_that_they_would_break_stays_as_it_is(folder, text):
    (folder / "hardway.yaml").write_text(text)
    with pytest.raises(ConfigError, match="cannot be added at its end"):
        cluster_files.new_lines(folder, draft(folder, None, None))
    with pytest.raises(ConfigError):
        cluster_files.adopt(folder, draft(folder, None, None))
    assert (folder / "hardway.yaml").read_text() == text
