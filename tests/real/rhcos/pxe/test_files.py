"""A network boot: real programs accept the configuration, and the initramfs of each machine holds a pointer only."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hardway.model.errors import ConfigError
from hardway.rhcos.pxe import config as pxe
from hardway.workspace.folder import open_workspace
from tests.support.clusters import DUAL_STACK, install_config
from tests.support.coreos_installer_tool import run
from tests.support.rhcos.image import initramfs, live_iso
from tests.support.rhcos.mirror import mirror, write_stream
from tests.support.rhcos.reading import DEST, parsed, pxe_files
from tests.support.trees import write_folder

BASE = "http://192.168.126.1:8080/rhcos"
HARDWAY = "from hardway.cli.main import main; main()"
LISTEN = ("--listen", "127.0.0.1")


def hardway(folder: Path, *words: str, cache: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **({"XDG_CACHE_HOME": str(cache)} if cache else {})}
    command = [sys.executable, "-c", HARDWAY, "-C", str(folder), "install", *words]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def pxe_install(folder: Path, *words: str, cache: Path | None = None) -> Path:
    done = hardway(folder, "--all", "--method", "pxe", "--files-url", BASE, *LISTEN, *words, cache=cache)
    assert done.returncode == 0, done.stderr
    assert f"hardway -C {folder} deliver bootstrap master-0 master-1 master-2" in done.stdout
    return folder / "assets" / "rhcos" / "pxe"


def check(place: Path, folder: Path) -> None:
    """Everything that is named is there, and no key is in it."""
    cluster = open_workspace(folder).loaded.cluster
    for node in cluster.nodes:
        script = (place / f"{node.mac.replace(':', '-')}.ipxe").read_text()
        named = [w.removeprefix(f"{BASE}/") for line in script.splitlines() for w in line.split() if w.startswith(BASE)]
        assert [name for name in named if not (place / name).exists()] == []
        dest = parsed(pxe_files(place / f"{node.name}-initramfs.img")[DEST])
        assert dest == parsed((folder / "assets" / "deliver" / f"{node.name}.ign").read_bytes())
        assert list(dest) == ["ignition"]
        assert dest["ignition"]["config"]["replace"]["source"].startswith("https://127.0.0.1:8443/")
        assert node.mac.upper() in run("pxe", "network", "unwrap", place / f"{node.name}-initramfs.img")


def test_from_an_iso(folder: Path):
    place = pxe_install(folder, "--iso", str(live_iso()))
    assert (place / "kernel").read_bytes() == b"a kernel"
    check(place, folder)


def test_from_the_release(folder: Path, tmp_path: Path):
    files = {"kernel": b"a kernel", "initramfs.img": initramfs(), "rootfs.img": b"the rest"}
    with mirror(files) as served:
        write_stream(folder / "assets", served.stream())
        place = pxe_install(folder, cache=tmp_path / "cache")
        assert sorted(path for path, _ in served.asked) == ["/initramfs.img", "/kernel", "/rootfs.img"]
    check(place, folder)
    (place / "master-0-initramfs.img").unlink()
    place = pxe_install(folder, cache=tmp_path / "cache")  # the server is gone: everything is in the cache
    check(place, folder)


def test_dnsmasq_and_grub_accept_what_was_written(folder: Path):
    place = pxe_install(folder, "--iso", str(live_iso()))
    done = subprocess.run(["dnsmasq", "--test", "-C", place / pxe.DNSMASQ], capture_output=True, text=True, check=False)
    assert (done.returncode, "syntax check OK" in done.stderr) == (0, True), done.stderr
    scripts = sorted(place.glob("grub.cfg-01-*"))
    assert len(scripts) == 4
    for script in scripts:
        subprocess.run(["grub-script-check", script], check=True)


def test_grub_that_is_broken_is_noticed(tmp_path: Path):
    (tmp_path / "grub.cfg").write_text("menuentry x {\n")
    assert subprocess.run(["grub-script-check", tmp_path / "grub.cfg"], capture_output=True).returncode != 0


def test_both_families_and_tls(tmp_path: Path):
    folder = write_folder(tmp_path / "dual", install_config(1, 0, networking=DUAL_STACK))
    cluster = open_workspace(folder).loaded.cluster
    texts = pxe.files(cluster, cluster.nodes, "https://files.example.com/rhcos")
    assert [name for name in texts if "grub" in name or "pxelinux" in name] == []
    (tmp_path / "conf").write_text(texts[pxe.DNSMASQ])
    subprocess.run(["dnsmasq", "--test", "-C", tmp_path / "conf"], capture_output=True, check=True)


def test_the_ignition_file_never_goes_over_the_wire_in_the_open(folder: Path):
    place = pxe_install(folder, "--iso", str(live_iso()))
    texts = [p.read_text() for name in ("*.ipxe", "*.conf", "*.cfg-*", "pxelinux.cfg/*") for p in place.glob(name)]
    assert len(texts) == 4 * 3 + 2
    assert not [t for t in texts if "ignition_url" in t or "ignition.config.url" in t]


@pytest.mark.parametrize("address", ["ftp://x/y", "192.168.1.1:80", "http://", "http://user:secret@host/x"])
def test_an_address_that_is_none_is_refused(address: str):
    with pytest.raises(ConfigError, match="fix: write one as"):
        pxe.check_address(address)


def test_without_an_address_it_asks_for_one(folder: Path):
    done = hardway(folder, "--all", "--method", "pxe", "--iso", str(live_iso()))
    assert (done.returncode, "--files-url http://" in done.stderr) == (2, True)
    assert not (folder / "assets" / "rhcos").exists()
