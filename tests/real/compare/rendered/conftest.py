"""Folders with what the real operators rendered; the first test that asks for one waits for it."""

from __future__ import annotations

import shutil

import pytest

from tests.support.rendering import real as rendering
from tests.support.rendering.described import describe


@pytest.fixture(scope="session")
def small(tmp_path_factory):
    """The default cluster without its CRDs, which take most of the time to read; never change it."""
    folder = rendering.copy_of(rendering.rendered(), tmp_path_factory.mktemp("small") / "c")
    rendered = folder / "assets/rendered"
    shutil.rmtree(rendered / "api")
    shutil.rmtree(folder / "assets/crds")
    for file in rendered.rglob("*.crd.yaml"):
        file.unlink()
    describe(folder)
    return folder


@pytest.fixture
def copied(small, tmp_path):
    return rendering.copy_of(small, tmp_path / "c")
