"""What the tests of bootkube's stages share: a cluster built from the lab release with operators."""

from __future__ import annotations

import pytest
import yaml

from tests.support.hardway_program import hardway
from tests.support.lab.release import cluster_folder, releases


@pytest.fixture(scope="session")
def operated(tmp_path_factory):
    """Built on the rendered road; never change it."""
    with releases(tmp_path_factory) as served:
        folder = cluster_folder(tmp_path_factory.mktemp("operators") / "c", served.operators.settings)
        settings = folder / "hardway.yaml"
        settings.write_text(settings.read_text() + yaml.safe_dump({"road": "rendered"}))
        for words in (["build", "04"], ["build"]):
            done = hardway("-C", folder, *words)
            assert done.returncode == 0, done.stderr
        yield folder
