"""Go is the machine's own if that is new enough; otherwise PyPI's."""

from __future__ import annotations

import pytest

from hardway.labrelease import places
from hardway.labrelease.compile import toolchain

SCRIPT = "#!/bin/sh\necho go{version}\n"


@pytest.fixture
def only(tmp_path, monkeypatch):
    """A PATH on which there is a `go` of the given version, or none, and an empty cache."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def put(version):
        program = folder / "go"
        program.write_text(SCRIPT.format(version=version))
        program.chmod(0o755)
        return str(program)

    return put


@pytest.mark.parametrize("version", ["1.24.1", "1.26", "1.26.8", "1.30.0", "2.0"])
def test_the_machines_own_is_taken(only, version):
    own = only(version)
    assert toolchain.find() == toolchain.Go(program=own, version=version)


@pytest.mark.parametrize("version", ["1.9", "1.22.12", "1.24", "1.24.0", "-devel"])
def test_one_that_is_too_old_is_not_taken(only, version):
    only(version)
    assert toolchain.find().version == toolchain.PACKAGED


def test_without_any_it_is_the_packaged_one_in_the_cache(only):
    go = toolchain.find()
    assert go.version == toolchain.PACKAGED
    assert go.program.startswith(str(places.toolchain()))


@pytest.mark.parametrize(("version", "line"), [("1.26.8", "1.26"), ("1.26", "1.26"), ("1.9.2", "1.9")])
def test_the_line_of_a_version(version, line):
    assert toolchain.Go(program="go", version=version).line == line
