from __future__ import annotations

import pytest

from tests.support.registry import images
from tests.support.registry.server import Reader, serving


@pytest.fixture(scope="module")
def registry(tmp_path_factory):
    """One plain registry a file of tests; every test has repositories of its own in it."""
    folder = tmp_path_factory.mktemp("registry")
    with serving(folder / "server", folder / "storage") as server:
        yield server


@pytest.fixture(scope="module")
def made(registry):
    """A release in it, as team/release:a."""
    release = images.release()
    registry.push("team/release", "a", release)
    return release


@pytest.fixture
def reader(tmp_path, registry):
    return Reader(tmp_path / "cache", plain_http=frozenset({registry.host}))
