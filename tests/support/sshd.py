"""Nodes that can be logged in to: for each a real sshd at its planned address, with what its Ignition file gives it.

User core is root under another name, in a mount namespace that only the sshd has; sudo is a script that does what it is
asked to, unless a file says that it wants a password.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from hardway.ignition.ssh import HOST_KEYS
from hardway.model.cluster import Node
from hardway.workspace.folder import Workspace
from tests.support.ignition.files import files
from tests.support.netns import inside, network, program
from tests.support.waiting import until

SSHD = """
ListenAddress {address}
{keys}
AuthorizedKeysFile {folder}/authorized
PasswordAuthentication no
KbdInteractiveAuthentication no
UsePAM no
StrictModes no
PermitRootLogin yes
PidFile {folder}/pid
SetEnv PATH={folder}/bin:/usr/sbin:/usr/bin:/sbin:/bin
"""
SUDO = """#!/bin/sh
[ "$1 $2" = "-n --" ] || {{ echo "sudo: unexpected: $*" >&2; exit 1; }}
[ ! -e {folder}/locked ] || {{ echo "sudo: a password is required" >&2; exit 1; }}
shift 2; exec "$@"
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SshNode:
    folder: Path

    def lock(self) -> None:
        (self.folder / "locked").touch()

    def authorize(self, line: str) -> None:
        (self.folder / "authorized").write_text(line)

    def cut(self) -> None:
        """As a reboot does: sshd and whoever is logged in are gone, without a farewell. Parents end first: the sshd of
        a session whose program has ended would still tell its exit code."""
        listener = int((self.folder / "pid").read_text())
        for pid in (listener, *_below(listener)):
            with suppress(ProcessLookupError):  # it has ended since it was listed
                os.kill(pid, signal.SIGKILL)


def _lines(keys: Sequence[Path]) -> str:
    return "\n".join(f"HostKey {key}" for key in keys)


def _below(pid: int) -> list[int]:
    found = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, check=False).stdout.split()
    return [each for child in map(int, found) for each in (child, *_below(child))]


@contextmanager
def reachable(workspace: Workspace) -> Iterator[str]:
    """A network with the addresses of all nodes; the caller is inside."""
    with network([node.address for node in workspace.loaded.cluster.nodes]) as space, inside(space):
        yield space


@contextmanager
def sshd(
    space: str, workspace: Workspace, node: Node, home: Path, *, keys_of: str = "", own_keys: Sequence[Path] = ()
) -> Iterator[SshNode]:
    """With the host keys of the node's own Ignition file. `keys_of`: of another node's file; `own_keys`: of no file."""
    folder = home / node.name
    (folder / "bin").mkdir(parents=True)
    config = (workspace.store.root / f"{keys_of or node.name}.ign").read_bytes()
    laid = [folder / row.path.rpartition("/")[2] for row in HOST_KEYS]
    for row, key in zip(HOST_KEYS, laid, strict=True):
        key.write_bytes(files(config)[row.path].content)
        key.chmod(files(config)[row.path].mode)
    (folder / "authorized").write_text((workspace.store.root / "ssh/login.pub").read_text())
    (folder / "bin/sudo").write_text(SUDO.format(folder=folder))
    (folder / "bin/sudo").chmod(0o755)
    (folder / "passwd").write_text(f"core:x:0:0::{folder}:/bin/sh\n{Path('/etc/passwd').read_text()}")
    (folder / "sshd.conf").write_text(SSHD.format(address=node.address, folder=folder, keys=_lines(own_keys or laid)))
    script = ["mount --make-rprivate /", f"mount --bind {folder}/passwd /etc/passwd"]
    script += ["mount -t tmpfs run /run", "mkdir /run/sshd", f"exec /usr/sbin/sshd -D -e -f {folder}/sshd.conf"]
    with program(space, ["unshare", "--mount", "sh", "-ec", "\n".join(script)], folder / "log"):
        until(lambda: "Server listening" in (folder / "log").read_text(), (folder / "log").read_text)
        yield SshNode(folder=folder)
