"""The real coreos-installer puts a machine's settings into an ISO, and reads them back."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest
import yaml

from hardway.ignition.network import keyfile
from hardway.model.errors import ToolError
from hardway.rhcos.images import Image, given
from hardway.rhcos.medium import SERIAL, Medium, make
from hardway.tools.coreos_installer import TooLarge
from hardway.workspace.folder import open_workspace
from tests.support.coreos_installer_tool import run
from tests.support.rhcos.image import ARGUMENTS, ROOM, live_iso
from tests.support.rhcos.reading import CUSTOM, DEST, iso_files, parsed


@pytest.fixture(scope="module")
def image() -> Image:
    return given(live_iso(), None, "", "amd64")


def made(folder: Path, image: Image, name: str = "bootstrap", ignition: Path | None = None) -> Medium:
    workspace = open_workspace(folder)
    node = next(n for n in workspace.loaded.cluster.nodes if n.name == name)
    ignition = ignition or workspace.store.root / f"{name}.ign"
    return make(workspace.store, workspace.loaded.cluster, node, image, ignition, "iso")


def test_the_iso_installs_the_machine_with_all_that_is_its_own(folder: Path, image: Image):
    medium = made(folder, image, "master-1")
    files = iso_files(medium.path)
    assert parsed(files[DEST]) == parsed((folder / "assets" / "master-1.ign").read_bytes())
    assert yaml.safe_load(files[CUSTOM]) == {
        "dest-device": "/dev/vda",
        "ignition-file": DEST,
        "copy-network": True,
        "console": ["tty0", SERIAL],
    }
    assert run("iso", "kargs", "show", medium.path).split() == [*ARGUMENTS.split(), "console=tty0", f"console={SERIAL}"]
    cluster = open_workspace(folder).loaded.cluster
    shown = run("iso", "network", "extract", medium.path)
    assert shown.partition("\n")[2].strip() == keyfile(cluster, cluster.masters[1]).strip()
    assert cluster.masters[1].mac.upper() in shown


def test_only_the_owner_can_read_it(folder: Path, image: Image):
    medium = made(folder, image)
    assert stat.S_IMODE(medium.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(medium.path.parent.stat().st_mode) == 0o700


def test_it_is_made_again_only_when_something_in_it_changed(folder: Path, image: Image):
    first = made(folder, image)
    before = first.path.stat().st_mtime_ns
    assert (first.made, made(folder, image).made) == (True, False)
    assert first.path.stat().st_mtime_ns == before
    (folder / "hosts.yaml").write_text("hosts: {bootstrap: {disk: /dev/sda}}\n")
    assert made(folder, image).made
    assert b"/dev/sda" in iso_files(first.path)[CUSTOM]
    ignition = folder / "assets" / "bootstrap.ign"
    ignition.write_bytes(ignition.read_bytes() + b"\n")
    assert made(folder, image).made
    other = Image(path=image.path, sha256="0" * 64, release="", checked=True)
    assert made(folder, other).made


def test_half_a_medium_is_never_left(folder: Path, image: Image, tmp_path: Path):
    (tmp_path / "bad.ign").write_text('{"ignition": {"version": "9.9.0"}}')
    with pytest.raises(ToolError, match="unsupported config version"):
        made(folder, image, ignition=tmp_path / "bad.ign")
    assert list((folder / "assets" / "rhcos").iterdir()) == []
    assert made(folder, image).made


def test_what_does_not_fit_is_told_with_the_way_out(folder: Path, image: Image, tmp_path: Path):
    """The area is a quarter of a MiB; what is random does not compress."""
    noise = os.urandom(ROOM * 2).hex()
    file = {"path": "/noise", "contents": {"source": f"data:,{noise}"}}
    (tmp_path / "big.ign").write_text(json.dumps({"ignition": {"version": "3.2.0"}, "storage": {"files": [file]}}))
    with pytest.raises(TooLarge, match=f"room for {ROOM} bytes.*\n.*--method server"):
        made(folder, image, ignition=tmp_path / "big.ign")


def test_an_image_that_is_no_live_iso_is_refused(folder: Path, tmp_path: Path):
    (tmp_path / "x.iso").write_bytes(bytes(100_000))
    with pytest.raises(ToolError, match="coreos-installer failed"):
        made(folder, given(tmp_path / "x.iso", None, "", "amd64"))


def test_without_the_program_it_says_where_to_get_it(folder: Path, image: Image, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(ToolError, match="cargo install coreos-installer"):
        made(folder, image)
