"""The real libvirt, without touching the machine's own: in network and mount namespaces that are made for it."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, repeat
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from tests.support.clusters import install_config
from tests.support.waiting import until

PLACES = {"etc": "/etc/libvirt", "lib": "/var/lib/libvirt", "log": "/var/log/libvirt"}
CACHE = Path.home() / ".cache" / "hardway" / "libvirt"
"""What libvirt found out about QEMU, which takes seconds: kept from one start to the next, and checked by libvirt."""

DAEMON = """
unix_sock_dir = "{folder}/socket"
unix_sock_group = "root"
auth_unix_ro = "none"
auth_unix_rw = "none"
log_outputs = "3:file:{folder}/daemon.log"
"""
QEMU = """
user = "root"
group = "root"
security_driver = "none"
stdio_handler = "file"
"""
FIREWALL = (
    "cp -r /etc/firewalld {folder}/firewalld",
    "mount --bind {folder}/firewalld /etc/firewalld",
    "dbus-daemon --system --fork --nopidfile --address=unix:path={folder}/bus",
    "firewalld --nofork --nopid >{folder}/firewalld.log 2>&1 </dev/null &",
    "for _ in $(seq 100); do firewall-cmd --state >/dev/null 2>&1 && break; sleep 0.1; done",
    "firewall-cmd --state",
)
HARDWAY = "from hardway.cli.main import main; main()"
SMALL = ("--size", "bootstrap=1,384MiB,1GiB", "--size", "master=1,384MiB,1GiB", "--size", "worker=1,384MiB,1GiB")


@dataclass(frozen=True, slots=True, kw_only=True)
class Lab:
    """A libvirt of the test's own, and the network namespace in which its bridges are."""

    folder: Path
    namespace: str

    @property
    def connect(self) -> str:
        return f"qemu+unix:///system?socket={self.folder}/socket/libvirt-sock"

    def inside(self, *command: str) -> subprocess.CompletedProcess[str]:
        words = ["ip", "netns", "exec", self.namespace, *command]
        environment = {**os.environ, "DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={self.folder}/bus"}
        return subprocess.run(words, env=environment, capture_output=True, text=True, check=False)

    def must(self, *command: str) -> str:
        done = self.inside(*command)
        assert done.returncode == 0, f"{shlex.join(command)}:\n{done.stdout}{done.stderr}"
        return done.stdout

    def virsh(self, *words: str) -> str:
        return self.must("virsh", "--quiet", "--connect", self.connect, *words)

    def names(self, what: str) -> set[str]:
        return set(self.virsh(what, "--all", "--name").split())

    def hardway(self, cluster: Path, *words: str) -> subprocess.CompletedProcess[str]:
        return self.inside(sys.executable, "-c", HARDWAY, "-C", str(cluster), *words)

    def infra(self, cluster: Path, command: str, *words: str) -> Any:
        """One of the infra commands, which must succeed: its JSON."""
        options = ["--connect", self.connect, "--pool", str(cluster / "pool"), "--accelerator", "tcg", *SMALL]
        done = self.hardway(cluster, "infra", command, *options, "-o", "json", *words)
        assert done.returncode == 0, done.stdout + done.stderr
        return json.loads(done.stdout)

    def cluster(self, name: str, masters: int = 1, workers: int = 0, **changes: Any) -> Path:
        """A cluster folder with the identifiers that the mark is made of."""
        folder = self.folder / name
        folder.mkdir()
        config = install_config(masters, workers, metadata={"name": name}, **changes)
        (folder / "install-config.yaml").write_text(yaml.safe_dump(config))
        done = self.hardway(folder, "build", "03")
        assert done.returncode == 0, done.stderr
        return folder


@contextmanager
def libvirt(*, firewall: bool = False) -> Iterator[Lab]:
    """Started, with a firewalld if wanted, and ended with everything that it started, whatever happens."""
    with TemporaryDirectory(prefix="hardway-libvirt-") as folder:
        lab = Lab(folder=Path(folder), namespace=Path(folder).name)
        _run("ip", "netns", "add", lab.namespace)
        try:
            lab.must("ip", "link", "set", "lo", "up")
            _start(lab, FIREWALL if firewall else ())
            yield lab
        finally:
            _end(lab)


def _start(lab: Lab, before: tuple[str, ...]) -> None:
    for name in (*PLACES, "socket"):
        (lab.folder / name).mkdir()
    (lab.folder / "libvirtd.conf").write_text(DAEMON.format(folder=lab.folder))
    (lab.folder / "etc" / "qemu.conf").write_text(QEMU)
    CACHE.mkdir(parents=True, exist_ok=True)
    mounts = [f"mount --bind {CACHE} /var/cache/libvirt"]
    mounts += [f"mount --bind {lab.folder}/{name} {place}" for name, place in PLACES.items()]
    script = ["mount --make-rprivate /", "mount -t tmpfs run /run", *mounts]
    script += [line.format(folder=lab.folder) for line in before]
    script += [f"exec libvirtd --daemon -f {lab.folder}/libvirtd.conf -p {lab.folder}/libvirtd.pid"]
    lab.must("unshare", "--mount", "sh", "-ec", "\n".join(script))
    answers = ("virsh", "--connect", lab.connect, "version")
    until(lambda: lab.inside(*answers).returncode == 0, (lab.folder / "daemon.log").read_text)


def _end(lab: Lab) -> None:
    """Every process in the namespace is one that this test led to: daemon, dnsmasq, machines."""
    for number in chain(repeat(signal.SIGTERM, 50), repeat(signal.SIGKILL)):
        alive = _run("ip", "netns", "pids", lab.namespace).split()
        if not alive:
            break
        for pid in alive:
            _signal(int(pid), number)
        time.sleep(0.1)
    _run("ip", "netns", "delete", lab.namespace)


def _signal(pid: int, number: int) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return


def _run(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout
