"""A pipe, a socket or a device in the place of a file: refused at once. Before, most readers waited for ever."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from hardway.checks.files.artifacts import Artifacts
from hardway.checks.network.files import judge
from hardway.cli.init import init
from hardway.compare.installer.reading import read_reference
from hardway.deliver import ledger
from hardway.drive import live
from hardway.drive.csr import memory
from hardway.graph.store import Store
from hardway.ignition.base import read_base
from hardway.io import links, lock, plain
from hardway.lab.cluster_files import said_of
from hardway.libvirt.identity import read_identity
from hardway.lines.default import DEFAULT
from hardway.model.entropy import SystemEntropy
from hardway.model.errors import ConfigError, HardwayError
from hardway.network.dns.zone import read_zone
from hardway.network.files import write as write_network
from hardway.registry.access import Access
from hardway.registry.choose import Overrides, access_of
from hardway.registry.errors import RegistryError
from hardway.registry.layout import Layout
from hardway.registry.signature import verify
from hardway.release.reference import Local
from hardway.render import record
from hardway.rhcos.images import checksum, stream_in
from hardway.workspace import folder, keep
from hardway.workspace.release import recorded

CLUSTER = folder.example_cluster().cluster
REFUSED = "is (a pipe|a socket|a device), not a file|is a symbolic link to"


def fifo(path: Path) -> None:
    os.mkfifo(path)


def listening(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        here = os.getcwd()
        os.chdir(path.parent)  # a socket's name is short
        try:
            server.bind(path.name)
        finally:
            os.chdir(here)


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def text_of(name: str) -> Callable[[Path], object]:
    """A file that the user writes, beside the others."""

    def read(place: Path) -> object:
        if name != "install-config.yaml":
            (place / "install-config.yaml").write_text(folder.example("install-config.yaml"))
        return folder.open_workspace(place)

    return read


def refused_by(command: list[str]) -> Callable[[Path], object]:
    def run(place: Path) -> object:
        done = CliRunner().invoke(
            init, [str(place / "new"), *(word.replace("HERE", str(place)) for word in command)], obj=place
        )
        assert done.exception is not None
        assert not (place / "new").exists()
        raise done.exception

    return run


def artifacts(place: Path) -> Artifacts:
    return Artifacts(root=place / "assets", cluster=CLUSTER, now=datetime.now(UTC))


def signature(key: str, source: str) -> Callable[[Path], object]:
    def read(place: Path) -> object:
        (place / "good").write_bytes(b"\x99" * 100)
        return verify.check("sha256:" + "0" * 64, key=place / key, source=str(place / source), access=Access())

    return read


READERS: dict[str, Callable[[Path], object]] = {
    "install-config.yaml": text_of("install-config.yaml"),
    "hosts.yaml": text_of("hosts.yaml"),
    "hardway.yaml": text_of("hardway.yaml"),
    "key.pub": refused_by(["--ssh-key", "HERE/key.pub"]),
    "secret.json": refused_by(["--pull-secret", "HERE/secret.json"]),
    "auth.json": lambda place: access_of(None, Overrides(pull_secret=place / "auth.json")),
    "trust.pem": lambda place: access_of(None, Overrides(trust_bundle=place / "trust.pem")),
    "key.gpg": signature("key.gpg", "good"),
    "signature-1": signature("good", "signature-1"),
    "oci/index.json": lambda place: Layout(Local(kind="oci", path=str(place / "oci"))).find(),
    "image.tar": lambda place: Layout(Local(kind="oci-archive", path=str(place / "image.tar"))),
    "mco/rendered-master-1.yaml": lambda place: read_base(place / "mco", DEFAULT),
    "bootstrap.ign": lambda place: read_reference(place / "bootstrap.ign"),
    "live.iso": lambda place: checksum(place / "live.iso"),
    "db.example.com": lambda place: read_zone(str(place / "db.example.com")),
    "haproxy.cfg": lambda place: judge(CLUSTER, SystemEntropy(), "cluster", haproxy=[str(place / "haproxy.cfg")]),
    "dnsmasq.conf": lambda place: judge(CLUSTER, SystemEntropy(), "cluster", dnsmasq=[str(place / "dnsmasq.conf")]),
    "lab/hardway.yaml": lambda place: said_of(place / "lab"),
    "network/haproxy.cfg": lambda place: write_network(place / "network", {"haproxy.cfg": ""}),
    "assets/.hardway.jsonl": lambda place: Store(place / "assets"),
    "assets/.lock": lambda place: Store(place / "assets").alone().__enter__(),
    "assets/deliver/.lock": lambda place: ledger.alone(Store(place / "assets")).__enter__(),
    "assets/tls/root-ca.crt": lambda place: artifacts(place).read("tls/root-ca.crt"),
    "assets/auth/kubeconfig": lambda place: live.read_asset(place / "assets", "auth/kubeconfig"),
    "assets/approved.json": lambda place: memory.read(place / "assets"),
    "assets/plan/cluster-id": lambda place: read_identity(place / "assets", CLUSTER),
    "assets/release/release.json": lambda place: recorded(place / "assets"),
    "assets/release/manifests/image-references": lambda place: keep.references(place / "assets"),
    "assets/release/manifests/stream.yaml": lambda place: stream_in(place / "assets"),
    "assets/rendered/api/inputs.json": lambda place: record.current(place / "assets/rendered/api", "key"),
    "assets/rendered/etcd/any": lambda place: record.digests(place / "assets/rendered/etcd"),
}


@pytest.mark.parametrize("plant", [fifo, listening, endless])
@pytest.mark.parametrize("name", READERS)
def test_what_is_no_plain_file_is_refused_at_once(tmp_path: Path, name: str, plant: Callable[[Path], None]):
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    plant(tmp_path / name)
    with pytest.raises((OSError, HardwayError, RegistryError), match=REFUSED) as caught:
        READERS[name](tmp_path)
    assert Path(name).name in str(caught.value)
    if isinstance(caught.value, ConfigError):
        assert "\n    fix: " in str(caught.value)


def test_a_pipe_that_the_shell_hands_over_is_read(tmp_path: Path):
    """`--pull-secret <(pass show secret)` is such a file, and /dev/stdin."""
    reading, writing = os.pipe()
    os.write(writing, b"secret")
    os.close(writing)
    try:
        assert access_of(None, Overrides(pull_secret=Path(f"/dev/fd/{reading}"))).pull_secret == "secret"
    finally:
        os.close(reading)
    code = "from pathlib import Path; from hardway.io import plain; print(plain.given(Path('/dev/stdin')))"
    done = subprocess.run([sys.executable, "-c", code], input=b"{}", capture_output=True, check=True)
    assert done.stdout == b"b'{}'\n"


def test_a_file_that_is_too_large_for_the_memory_is_refused(tmp_path: Path):
    """A few bytes on the disk, and more than any machine has in memory."""
    with (tmp_path / "install-config.yaml").open("wb") as stream:
        stream.truncate(1 << 42)
    with pytest.raises(ConfigError, match="is larger than 256 MiB"):
        folder.inputs(tmp_path)


def test_lines_end_as_in_any_text(tmp_path: Path):
    (tmp_path / "text").write_bytes("a\r\nb\rc\n\u00e4".encode())
    assert plain.text(tmp_path / "text") == (tmp_path / "text").read_text(encoding="utf-8") == "a\nb\nc\n\u00e4"


@pytest.mark.parametrize("target", ["file", "folder", "nothing"])
def test_a_lock_that_is_a_link_is_not_taken(tmp_path: Path, target: str):
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    (tmp_path / "lock").symlink_to(tmp_path / target)
    with pytest.raises(links.LinkError, match="is a symbolic link to"), lock.locked(tmp_path / "lock"):
        pass
    assert not (tmp_path / "nothing").exists()
