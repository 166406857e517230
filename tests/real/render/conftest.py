"""What the tests of stage 04 share: the lab release in a registry, and one folder that was built from it."""

from __future__ import annotations

import shutil

import pytest

from tests.support.hardway_program import hardway
from tests.support.lab.release import cluster_folder, releases


@pytest.fixture(scope="session")
def served(tmp_path_factory):
    with releases(tmp_path_factory) as found:
        yield found


@pytest.fixture(scope="session")
def built(served, tmp_path_factory):
    """A cluster built from the lab release over plain HTTP; never change it."""
    folder = cluster_folder(tmp_path_factory.mktemp("release") / "c", served.plain.settings)
    done = hardway("-C", folder, "build", "04")
    assert done.returncode == 0, done.stderr
    done = hardway("-C", folder, "build")
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def copied(built, tmp_path):
    shutil.copytree(built, tmp_path / "c")
    return tmp_path / "c"


@pytest.fixture(scope="session")
def operated(served, tmp_path_factory):
    """A cluster built from the lab release with operators, and rendered by all that can be had; never change it."""
    folder = cluster_folder(tmp_path_factory.mktemp("operators") / "c", served.operators.settings)
    for words in (["build", "04"], ["build"], ["render", "--all"]):
        done = hardway("-C", folder, *words)
        assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def rendered(operated, tmp_path):
    shutil.copytree(operated, tmp_path / "c")
    return tmp_path / "c"
