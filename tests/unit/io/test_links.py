"""A folder from somebody else can hold links. Nothing is written, chmodded or read through one."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from hardway.cli.init import init
from hardway.cli.network import files
from hardway.compare.rendered.reading import read as compared
from hardway.graph.store import Entry, Store
from hardway.io.folder import replace_folder
from hardway.lab.cluster_files import point_at, write_files
from hardway.model.errors import ConfigError
from hardway.registry.access import Access
from hardway.registry.podman import Mount, run_program
from hardway.rhcos.medium import PLACES, discard
from hardway.workspace.folder import example, open_workspace
from tests.support.forked import hardway

REFUSED = "is a symbolic link to"


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    """A folder of the user's own that no cluster's folder may lead to."""
    made = tmp_path / "victim"
    made.mkdir(mode=0o755)
    (made / "note").write_text("mine")
    return made


def cluster_folder(place: Path) -> None:
    (place / "install-config.yaml").write_text(example("install-config.yaml"))


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
    assert hardway("init", tmp_path / "c").returncode == 0
    (tmp_path / "c/assets").mkdir()
    content = hashlib.sha256(b"mine").hexdigest()
    for path in ("../../victim/note", str(victim / "note")):
        line = json.dumps({"address": "cert/old", "path": path, "content": content, "stamp": {}})
        (tmp_path / "c/assets/.hardway.jsonl").write_text(f"{line}\n")
        assert hardway("-C", tmp_path / "c", "build", "03").returncode == 0
        assert untouched(victim)


@pytest.mark.parametrize("link", ["assets/crds", "assets/crds/a.yaml"])
def test_a_crd_that_is_a_link_does_not_come_into_the_bootstraps_file(tmp_path: Path, victim: Path, link: str):
    """It would be served to a machine with the Ignition file."""
    assert hardway("init", tmp_path / "c").returncode == 0
    (victim / "a.yaml").write_text("mine")
    (tmp_path / "c" / link).parent.mkdir(parents=True)
    (tmp_path / "c" / link).symlink_to(victim / "a.yaml" if link.endswith("yaml") else victim)
    with pytest.raises(OSError, match=REFUSED):
        open_workspace(tmp_path / "c")


@pytest.mark.parametrize(
    "link",
    [
        "assets/mco",
        "assets/mco/machine-configs",
        "assets/mco/machine-configs/rendered-master-1.yaml",
        "assets/release",
        "assets/release/release.json",
    ],
)
def test_a_render_and_the_record_of_a_release_are_not_read_through_a_link(tmp_path: Path, victim: Path, link: str):
    """The render would come into the nodes' files; another folder's release would count as believed for this one."""
    cluster_folder(tmp_path)
    (victim / "rendered-master-1.yaml").write_text("mine")
    (victim / "release.json").write_text("{}")
    place = tmp_path / link
    place.parent.mkdir(parents=True)
    place.symlink_to(victim / place.name if place.suffix else victim)
    with pytest.raises(OSError, match=REFUSED):
        open_workspace(tmp_path)


def test_media_and_files_of_a_network_boot_are_not_put_behind_a_link(tmp_path: Path, victim: Path):
    """They hold the cluster's keys."""
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets/rhcos").symlink_to(victim)
    store = Store(tmp_path / "assets")
    for place in PLACES.values():
        with pytest.raises(OSError, match=REFUSED):
            store.folder(place)
    with pytest.raises(OSError, match=REFUSED):
        discard(store, "master-0")
    assert untouched(victim)


def test_the_networks_files_are_not_put_behind_a_link(tmp_path: Path, victim: Path):
    cluster_folder(tmp_path)
    (tmp_path / "network").symlink_to(victim)
    done = CliRunner().invoke(files, [], obj=tmp_path)
    assert REFUSED in str(done.exception)
    assert untouched(victim)


def test_what_left_the_plan_is_not_removed_behind_a_link(tmp_path: Path, victim: Path):
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets/old").symlink_to(victim)
    with pytest.raises(OSError, match=REFUSED):
        Store(tmp_path / "assets").remove("old/note")
    assert untouched(victim)


@pytest.mark.parametrize("name", ["manifests", "rendered", "rendered/api", "bootstrap.ign"])
def test_nothing_is_compared_through_a_link(tmp_path: Path, victim: Path, name: str):
    for folder in ("manifests", "bootstrap-manifests", "plan", "rendered"):
        (tmp_path / "assets" / folder).mkdir(parents=True)
    (tmp_path / "assets/plan/cluster.yaml").touch()
    if (tmp_path / "assets" / name).exists():
        (tmp_path / "assets" / name).rmdir()
    (tmp_path / "assets" / name).symlink_to(victim)
    with pytest.raises(OSError, match=REFUSED):
        compared(tmp_path)


def test_a_lab_does_not_write_its_configuration_through_a_link(tmp_path: Path, victim: Path):
    """Nor does init: a link that leads nowhere looks like a file that is missing."""
    for place in ("lab", "init"):
        (tmp_path / place).mkdir()
        (tmp_path / place / "install-config.yaml").symlink_to(victim / "new")
    with pytest.raises(ConfigError, match="has files but no install-config"):
        write_files(tmp_path / "lab", "3+2")
    assert CliRunner().invoke(init, [str(tmp_path / "init"), "--name", "a"], obj=tmp_path).exit_code == 0
    assert not (tmp_path / "init/install-config.yaml").is_symlink()
    assert untouched(victim)


def test_the_user_reads_which_link_it_is_and_what_to_do(tmp_path: Path, victim: Path):
    assert hardway("init", tmp_path / "c").returncode == 0
    (tmp_path / "c/assets").symlink_to(victim)
    done = hardway("-C", tmp_path / "c", "build", "03")
    assert done.returncode == 2
    assert done.stderr.startswith(f"{tmp_path / 'c/assets'}: is a symbolic link to {victim}")
    assert "\n    fix: remove it" in done.stderr
    assert untouched(victim)
