"""A person with machines of their own: boots a node when told to, and changes the load balancer when told to.

The machines are nodes of the lab, each from its own Ignition file, with what RHCOS has and they lack: an sshd, which is
the one of this machine, and a sudo. User core is root under another name there, as in `tests.support.sshd`.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hardway.ignition.ssh import HOST_KEYS
from hardway.lab import node as nodes
from hardway.lab.prepared import Prepared
from hardway.lab.services import admin_socket
from hardway.network.haproxy.runtime import take_out
from tests.support.hardway_program import COMMAND

SSHD = Path("/usr/sbin/sshd")
UNIT = """[Unit]
Description=sshd
[Service]
ExecStartPre=mkdir -p /run/sshd
ExecStart=/usr/sbin/sshd -D -e
"""
CONFIG = """{keys}
AuthorizedKeysFile .ssh/authorized_keys.d/ignition .ssh/authorized_keys
PasswordAuthentication no
KbdInteractiveAuthentication no
UsePAM no
StrictModes no
PermitRootLogin yes
MaxSessions 50
"""
SUDO = '#!/bin/sh\n[ "$1 $2" = "-n --" ] || exit 1\nshift 2; exec "$@"\n'


def with_sshd(root: Path) -> None:
    """On a node's root, before it boots for the first time."""
    libraries = re.findall(r"(/lib\S+)", subprocess.run(["ldd", SSHD], capture_output=True, text=True).stdout)
    for path in (str(SSHD), *libraries):
        if not (root / path.lstrip("/")).exists():
            shutil.copy(path, root / path.lstrip("/"))
    keys = "\n".join(f"HostKey {row.path}" for row in HOST_KEYS)
    (root / "etc/ssh").mkdir(exist_ok=True)
    (root / "etc/ssh/sshd_config").write_text(CONFIG.format(keys=keys))
    (root / "usr/bin/sudo").write_text(SUDO)
    (root / "usr/bin/sudo").chmod(0o755)
    users = (root / "etc/passwd").read_text()
    core = re.sub(r"^core:x:\d+:\d+:", "core:x:0:0:", users, flags=re.MULTILINE)
    (root / "etc/passwd").write_text(f"{core}sshd:x:130:65534::/run/sshd:/usr/sbin/nologin\n")
    units = root / "usr/lib/systemd/system"
    (units / "sshd.service").write_text(UNIT)
    (units / "multi-user.target.wants").mkdir(exist_ok=True)
    (units / "multi-user.target.wants/sshd.service").symlink_to("../sshd.service")


@dataclass(frozen=True)
class Person:
    """Does what the program's events say, and writes down what was asked."""

    made: Prepared
    asked: list[tuple[str, str]] = field(default_factory=list)

    def does(self, what: str, name: str) -> None:
        self.asked.append((what, name))
        {"on": self.on, "off": self.off, "out": self.out}[what](name)

    def on(self, name: str) -> None:
        made, row = self.made, next(n for n in self.made.cluster.nodes if n.name == name)
        config = made.folder / "assets" / f"{name}.ign"
        fresh = name not in made.paths.laid_out()
        root = nodes.lay_out(made.paths, made.cluster, row, config, made.materials)
        if fresh:
            with_sshd(root)
        nodes.start(made.paths, name)

    def off(self, name: str) -> None:
        nodes.stop(self.made.paths, name)

    def out(self, name: str) -> None:
        take_out(admin_socket(self.made.paths), name)


@contextmanager
def told(words: list[str], environment: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    """The program at work; whatever comes, it has ended afterwards."""
    with subprocess.Popen([*COMMAND, *words], env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def follow(process: subprocess.Popen[str], person: Person, stop: Callable[[dict[str, Any]], bool]) -> list[Any]:
    """Every event, up to the one that ends it; the person does what is asked before that."""
    events = []
    assert process.stdout is not None
    for line in process.stdout:
        events.append(json.loads(line))
        if stop(events[-1]):
            break
        if events[-1]["kind"] == "asked":
            person.does(events[-1]["asks"], events[-1]["node"])
    return events
