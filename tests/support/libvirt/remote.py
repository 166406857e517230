"""Two hosts with a libvirt each, bridges that meet, and a real sshd on the second: the first reaches it over ssh."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from tests.support.libvirt.host import Lab, libvirt
from tests.support.netns import program
from tests.support.waiting import until

BRIDGE = "br-lab"
HERE, THERE = "198.51.100.1", "198.51.100.2"
PORT = 2222
SSHD = """
Port {port}
ListenAddress {address}
HostKey {folder}/host-key
AuthorizedKeysFile {folder}/authorized
PasswordAuthentication no
KbdInteractiveAuthentication no
UsePAM no
StrictModes no
PidFile none
SetEnv DBUS_SYSTEM_BUS_ADDRESS=unix:path={folder}/bus
"""
SSH = """#!/bin/sh
# What ssh learns about hosts stays in the test's own folder; one connection carries all calls.
echo "$*" >>{folder}/ssh.log
exec {ssh} -o UserKnownHostsFile={folder}/known-hosts -o GlobalKnownHostsFile=/dev/null \
  -o ControlMaster=auto -o ControlPath={folder}/%C -o ControlPersist=60 "$@"
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    near: Lab
    far: Lab

    @property
    def remote(self) -> str:
        """The far libvirt, as the near host names it."""
        folder = self.far.folder
        words = f"socket={folder}/socket/libvirt-sock&keyfile={folder}/key&no_verify=1"
        return f"qemu+ssh://root@{THERE}:{PORT}/system?{words}"

    @property
    def calls(self) -> list[str]:
        """What ssh was called with."""
        return (self.far.folder / "ssh.log").read_text().splitlines()


@contextmanager
def pair(*, firewall: bool = False) -> Iterator[Pair]:
    """The firewall is the far host's."""
    with ExitStack() as stack:
        near = stack.enter_context(libvirt())
        far = stack.enter_context(libvirt(firewall=firewall))
        _join(near, far)
        if firewall:
            far.must("firewall-cmd", "--zone=trusted", f"--add-interface={BRIDGE}")
        stack.enter_context(_sshd(far))
        yield Pair(near=near, far=far)


def _join(near: Lab, far: Lab) -> None:
    near.must("ip", "link", "add", "uplink", "type", "veth", "peer", "name", "uplink", "netns", far.namespace)
    for lab, address in ((near, HERE), (far, THERE)):
        lab.must("ip", "link", "add", BRIDGE, "type", "bridge")
        lab.must("ip", "link", "set", "uplink", "master", BRIDGE, "up")
        lab.must("ip", "address", "add", f"{address}/24", "dev", BRIDGE)
        lab.must("ip", "link", "set", BRIDGE, "up")


@contextmanager
def _sshd(lab: Lab) -> Iterator[None]:
    folder = lab.folder
    for name in ("host-key", "key"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / name], check=True)
    (folder / "authorized").write_bytes((folder / "key.pub").read_bytes())
    (folder / "sshd.conf").write_text(SSHD.format(port=PORT, address=THERE, folder=folder))
    (folder / "bin").mkdir()
    (folder / "bin/ssh").write_text(SSH.format(folder=folder, ssh=shutil.which("ssh", path="/usr/bin:/bin")))
    (folder / "bin/ssh").chmod(0o755)
    script = ["mount --make-rprivate /", "mount -t tmpfs run /run", "mkdir /run/sshd"]
    script += [f"exec /usr/sbin/sshd -D -e -f {folder}/sshd.conf"]
    command = ["unshare", "--mount", "sh", "-ec", "\n".join(script)]
    before = os.environ["PATH"]
    with program(lab.namespace, command, folder / "sshd.log"):
        until(lambda: _listens(lab), (folder / "sshd.log").read_text)
        os.environ["PATH"] = f"{folder / 'bin'}:{before}"
        try:
            yield
        finally:
            os.environ["PATH"] = before


def _listens(lab: Lab) -> bool:
    return f"{THERE}:{PORT}" in lab.must("ss", "-ltn")


def link_addresses(lab: Lab, device: str) -> set[str]:
    lines = lab.must("ip", "-brief", "address", "show", "dev", device).split()[2:]
    return {word.partition("/")[0] for word in lines if ":" not in word}
