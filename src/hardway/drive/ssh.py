"""Nodes over ssh: OpenSSH's own client, which believes the host keys that the build made and no others."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from shlex import join
from tempfile import TemporaryDirectory

from hardway.drive.machines import Files
from hardway.ignition.ssh import KNOWN_HOSTS_PATH, LOGIN_PATH
from hardway.model.cluster import Cluster, Node
from hardway.model.errors import ConfigError, ToolError
from hardway.tools.run import Done, attempt

USER = "core"
CONNECT = 10  # seconds until a connection must be there
SECONDS = 120.0  # for a program on a node
BROKEN = 255  # ssh's own exit code; a program's own 255 arrives as 254
OWN_CODE = "code=$?; [ $code -ne 255 ] || code=254; exit $code"
PLACING = """umask 077
part="$1.part"
mkdir -p -- "${1%/*}"
trap 'rm -f -- "$part"' EXIT
base64 -d >"$part"
[ "$(sha256sum <"$part")" = "$3  -" ] || { echo it did not arrive whole >&2; exit 1; }
chmod "$2" -- "$part"
mv -fT -- "$part" "$1"
"""
"""A file from standard input: its path, its mode, its digest."""
SUDO = re.compile(r"^sudo: a (password|terminal) is required", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """What ssh prints when there is no connection, what that means, and what to do."""

    pattern: re.Pattern[str]
    text: str
    fix: str


def _sign(pattern: str, text: str, fix: str) -> Sign:
    return Sign(pattern=re.compile(pattern, re.IGNORECASE), text=text, fix=fix)


DENIED = _sign(
    r"Permission denied \(",
    "user core may not log in at {address} with this key",
    "{key}",
)
LOST = _sign(
    r"closed by|Connection reset|Broken pipe|not responding|kex_exchange_identification|banner exchange",
    "the connection to {address} broke: the machine reboots, or its network is down",
    "wait until the machine is up, and run this again",
)
REFUSED = _sign(
    r"Connection refused",
    "nothing listens on port {port} of {address}",
    "look at the machine's console: sshd starts when Ignition has finished",
)
SILENT = _sign(
    r"connect to host .*(timed out|No route to host|unreachable)|Connection timed out during banner exchange",
    "{address} does not answer",
    "look whether the machine is on, and whether this machine has a route to it",
)
SIGNS: tuple[Sign, ...] = (
    _sign(
        r"IDENTIFICATION HAS CHANGED|Host key verification failed|No .* host key is known for",
        "{address} shows another SSH host key than assets/ssh/known_hosts has for {node}; nothing was sent to it",
        "if {node} was installed from other files than these, install it again; if not, another machine answers there",
    ),
    DENIED,
    REFUSED,
    SILENT,
    LOST,
)
"""The first that fits counts."""
AWAY = (REFUSED, SILENT, LOST)
"""What a machine shows, one after the other, while it reboots."""


class Unreachable(ToolError):
    """There is no connection, or none any more."""

    def __init__(self, message: str, *, denied: bool, away: bool = False, lost: bool = False) -> None:
        super().__init__(message)
        self.denied = denied  # the node is the right one, and does not know the key
        self.away = away  # nobody is there
        self.lost = lost  # somebody was


@dataclass(frozen=True, slots=True, kw_only=True)
class Ssh:
    cluster: Cluster
    assets: Path
    identity: Path | None = None  # the private key to log in with, if it is none that ssh finds itself
    sockets: Path | None = None  # a private folder; without it, every call makes a connection of its own
    port: int = 22

    def words(self, node: Node, *options: str) -> list[str]:
        """The command line, up to the program. Nobody's configuration of ssh has a say in it."""
        known = self.assets / KNOWN_HOSTS_PATH
        if not known.is_file():
            raise ConfigError(f"{known}: there is no such file.\n    fix: make it with `hardway build 08`")
        settings = {
            "User": USER,
            "HostKeyAlias": node.name,
            "UserKnownHostsFile": _value(known),
            "GlobalKnownHostsFile": "none",
            "StrictHostKeyChecking": "yes",
            "UpdateHostKeys": "no",
            "PreferredAuthentications": "publickey",
            "ForwardAgent": "no",
            "ForwardX11": "no",
            "ClearAllForwardings": "yes",
            "PermitLocalCommand": "no",
            "ConnectTimeout": str(CONNECT),
            "ServerAliveInterval": "5",
            "ServerAliveCountMax": "3",
            **self._login(),
            **self._shared(),
        }
        listed = [word for name, value in settings.items() for word in ("-o", f"{name}={value}")]
        return ["ssh", "-F", "none", *listed, *options, "-p", str(self.port), "--", node.address]

    def _login(self) -> dict[str, str]:
        made = None if self.cluster.ssh_key.strip() else self.assets / LOGIN_PATH
        key = self.identity or made
        return {"IdentityFile": _value(key), "IdentitiesOnly": "yes", "IdentityAgent": "none"} if key else {}

    def _shared(self) -> dict[str, str]:
        if self.sockets is None:
            return {"ControlPath": "none"}
        return {"ControlMaster": "auto", "ControlPath": f"{self.sockets}/%C", "ControlPersist": "60"}

    def run(self, name: str, argv: Sequence[str], *, stdin: str = "", seconds: float = SECONDS) -> Done:
        """A program on the node, as root. What ssh or sudo refuse is an error, the program's exit code is not."""
        done = self.ask(name, ["sudo", "-n", "--", *argv], stdin=stdin, seconds=seconds)
        if done.code == 1 and SUDO.search(done.errors):
            raise ToolError(
                f"{name}: sudo asks user {USER} for a password, and nobody can type it.\n"
                f"    fix: RHCOS lets {USER} become root without one; remove what takes this away from /etc/sudoers.d"
            )
        return done

    def ask(self, name: str, argv: Sequence[str], *, stdin: str = "", seconds: float = SECONDS) -> Done:
        """A program on the node, as user core."""
        node = self.node(name)
        words = self.words(node, "-o", "BatchMode=yes", "-o", "LogLevel=ERROR", "-T")
        done = attempt([*words, f"{join(argv)}; {OWN_CODE}"], stdin=stdin, seconds=seconds)
        if done.code == BROKEN:
            sign = next((sign for sign in SIGNS if sign.pattern.search(done.errors)), LOST)
            raise Unreachable(self._told(sign, node), denied=sign is DENIED, away=sign in AWAY, lost=sign is LOST)
        return done

    def lost(self, name: str) -> str:
        """What is said of a node that was there before."""
        return self._told(LOST, self.node(name))

    def _told(self, sign: Sign, node: Node) -> str:
        key = "name the private half of install-config's sshKey with --identity FILE, or load it into ssh-agent"
        if not self.cluster.ssh_key.strip():
            key = f"install {node.name} with the Ignition file of this folder: it knows assets/{LOGIN_PATH}"
        known = {"node": node.name, "address": node.address, "port": self.port, "key": key}
        return f"{node.name}: {sign.text.format(**known)}.\n    fix: {sign.fix.format(**known)}"

    def put_files(self, name: str, files: Files) -> None:
        """The content goes through standard input: a command line is visible to everybody on the node. A file that did
        not arrive whole does not replace what is there."""
        for path, (mode, content) in files.items():
            known = [path, f"{mode:04o}", sha256(content).hexdigest()]
            done = self.run(name, ["sh", "-ec", PLACING, "sh", *known], stdin=b64encode(content).decode())
            if not done.ok:
                raise ToolError(f"{name}: {path}: {done.errors.strip() or f'exit code {done.code}'}")

    def node(self, name: str) -> Node:
        return next(node for node in self.cluster.nodes if node.name == name)


def _value(path: Path) -> str:
    """As a value of ssh's configuration, where blanks separate, per cent signs stand for something, and a quotation
    mark would end the name and begin that of a second file."""
    escaped = str(path.absolute()).replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return f'"{escaped}"'


@contextmanager
def open_ssh(cluster: Cluster, assets: Path, identity: Path | None = None) -> Iterator[Ssh]:
    """One connection for each node, for as long as the block lasts. Its socket is in a folder that is ours alone."""
    with TemporaryDirectory(prefix="hardway-ssh-") as folder:
        ssh = Ssh(cluster=cluster, assets=assets, identity=identity, sockets=Path(folder))
        try:
            yield ssh
        finally:
            if any(Path(folder).iterdir()):
                for node in cluster.nodes:
                    attempt(ssh.words(node, "-O", "exit"))
