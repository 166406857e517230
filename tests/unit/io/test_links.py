"""A folder from somebody else can hold links. Nothing is written, chmodded or read through one."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hardway.graph.store import Entry, Store
from hardway.io.folder import replace_folder
from hardway.lab.cluster_files import point_at, take_road
from hardway.registry.access import Access
from hardway.registry.podman import Mount, run_program
from hardway.workspace.folder import open_workspace

REFUSED = "is a symbolic link to"


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    """A folder of the user's own that no cluster's folder may lead to."""
    made = tmp_path / "victim"
    made.mkdir(mode=0o755)
    (made / "note").write_text("mine")
    return made


def untouched(victim: Path) -> bool:
    mode = victim.stat().st_mode & 0o777
    return (mode, os.listdir(victim), (victim / "note").read_text()) == (0o755, ["note"], "mine")


def test_assets_that_are_a_link_are_not_written_to(tmp_path: Path, victim: Path):
    (tmp_path / "assets").symlink_to(victim)
    with pytest.raises(OSError, match=f"{REFUSED} {victim}"), Store(tmp_path / "assets").alone():
        pass
    with pytest.raises(OSError, match=REFUSED):
        Store(tmp_path / "assets").write("tls/root-ca.key", b"secret", 0o600)
    assert untouched(victim)


def test_a_folder_of_the_assets_that_is_a_link_is_not_written_to(tmp_path: Path, victim: Path):
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets/tls").symlink_to(victim)
    with pytest.raises(OSError, match=f"{REFUSED} {victim}"):
        Store(tmp_path / "assets").write("tls/root-ca.key", b"secret", 0o600)
    assert untouched(victim)


def test_the_record_is_not_appended_to_a_link(tmp_path: Path, victim: Path):
    (tmp_path / "assets").mkdir()
    store = Store(tmp_path / "assets")
    (tmp_path / "assets/.hardway.jsonl").symlink_to(victim / "note")
    with pytest.raises(OSError, match=f"{REFUSED} {victim / 'note'}"):
        store.note(Entry(address="a", path="a", content="b", stamp={}))
    assert untouched(victim)


@pytest.mark.parametrize("link", ["assets/tls", "assets/tls/root-ca.key"])
def test_what_a_link_leads_to_is_not_read_as_an_artifact(tmp_path: Path, victim: Path, link: str):
    (tmp_path / link).parent.mkdir(parents=True)
    (victim / "root-ca.key").write_text("another's key")
    (tmp_path / link).symlink_to(victim / "root-ca.key" if link.endswith("key") else victim)
    with pytest.raises(OSError, match=REFUSED):
        Store(tmp_path / "assets").read("tls/root-ca.key")


def test_a_release_is_not_kept_through_a_link(tmp_path: Path, victim: Path):
    (tmp_path / "assets").symlink_to(victim)
    with pytest.raises(OSError, match=REFUSED):
        replace_folder(tmp_path / "assets" / "crds", {"a": b"b"})
    assert untouched(victim)


def test_a_labs_settings_are_not_appended_through_a_link(tmp_path: Path, victim: Path):
    (tmp_path / "hardway.yaml").symlink_to(victim / "note")
    (victim / "note").write_text("road: hand\n")
    with pytest.raises(OSError, match=REFUSED):
        point_at(tmp_path, "192.168.1.1:5000/hardway:4.18.0-x86_64")
    with pytest.raises(OSError, match=REFUSED):
        take_road(tmp_path, "operators")
    assert (victim / "note").read_text() == "road: hand\n"


@pytest.mark.parametrize(
    "made",
    ["ln -s VICTIM/note PLACE/config", "ln -s VICTIM PLACE/manifests", "mkdir PLACE/a; mv PLACE/../pipe PLACE/a"],
)
def test_what_a_program_of_an_image_writes_is_refused_if_it_is_no_file(
    tmp_path: Path, victim: Path, made: str, monkeypatch: pytest.MonkeyPatch
):
    """Copied by root later, a link would bring any file of this machine into the cluster's folder."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "output").mkdir()
    os.mkfifo(tmp_path / "pipe")
    script = made.replace("VICTIM", str(victim)).replace("PLACE", str(tmp_path / "output"))
    (tmp_path / "bin/podman").write_text(f"#!/bin/sh\n{script}\n")
    (tmp_path / "bin/podman").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    mounts = [Mount(source=tmp_path / "output", target="/output", writable=True)]
    with pytest.raises(OSError, match=f"{REFUSED}|is no file and no folder"):
        run_program("image", "program", [], mounts=mounts, access=Access())


def test_a_record_that_leads_out_of_the_folder_removes_nothing(tmp_path: Path, victim: Path):
    """A build removes what the record says it made and is planned no more; anybody may have written the record."""
    started = [sys.executable, "-m", "hardway"]
    subprocess.run([*started, "init", str(tmp_path / "c")], check=True, capture_output=True)
    (tmp_path / "c/assets").mkdir()
    content = hashlib.sha256(b"mine").hexdigest()
    for path in ("../../victim/note", str(victim / "note")):
        line = json.dumps({"address": "cert/old", "path": path, "content": content, "stamp": {}})
        (tmp_path / "c/assets/.hardway.jsonl").write_text(f"{line}\n")
        subprocess.run([*started, "-C", str(tmp_path / "c"), "build", "03"], check=True, capture_output=True)
        assert untouched(victim)


@pytest.mark.parametrize("link", ["assets/crds", "assets/crds/a.yaml"])
def test_a_crd_that_is_a_link_does_not_come_into_the_bootstraps_file(tmp_path: Path, victim: Path, link: str):
    """It would be served to a machine with the Ignition file."""
    subprocess.run([sys.executable, "-m", "hardway", "init", str(tmp_path / "c")], check=True, capture_output=True)
    (victim / "a.yaml").write_text("mine")
    (tmp_path / "c" / link).parent.mkdir(parents=True)
    (tmp_path / "c" / link).symlink_to(victim / "a.yaml" if link.endswith("yaml") else victim)
    with pytest.raises(OSError, match=REFUSED):
        open_workspace(tmp_path / "c")


def test_the_user_reads_which_link_it_is_and_what_to_do(tmp_path: Path, victim: Path):
    started = [sys.executable, "-m", "hardway"]
    subprocess.run([*started, "init", str(tmp_path / "c")], check=True, capture_output=True)
    (tmp_path / "c/assets").symlink_to(victim)
    done = subprocess.run(
        [*started, "-C", str(tmp_path / "c"), "build", "03"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr.startswith(f"{tmp_path / 'c/assets'}: is a symbolic link to {victim}")
    assert "\n    fix: remove it" in done.stderr
    assert untouched(victim)
