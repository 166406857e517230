"""A cluster whose only master is a namespace with an sshd."""

from __future__ import annotations

import pytest

from tests.support.clusters import install_config
from tests.support.sshd import reachable
from tests.support.trees import build_folder, write_folder


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    """Its login key is the build's: install-config has none."""
    config = install_config(1, 0)
    del config["sshKey"]
    return build_folder(write_folder(tmp_path_factory.mktemp("own") / "c", config))


@pytest.fixture
def space(workspace):
    with reachable(workspace) as name:
        yield name
