"""SSH: each node's host key, the list of all of them, and a login key where install-config has none.

The build makes host keys, so that the first connection to a node is verified like every later one.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from textwrap import wrap
from typing import TYPE_CHECKING

from hardway.graph.asset import Asset, Given
from hardway.ignition.rows import SECRET, FileRow
from hardway.model.cluster import Cluster, Node
from hardway.model.errors import ToolError
from hardway.model.why import Why, because

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    SshKey = Ed25519PrivateKey | EllipticCurvePrivateKey

STAGE = "08"
KNOWN_HOSTS, LOGIN, LOGIN_PUBLIC = "pub/known-hosts", "key/login", "pub/login"
KNOWN_HOSTS_PATH, LOGIN_PATH = "ssh/known_hosts", "ssh/login"
SSHD = "openssh: sshd-keygen@.service, sshd_config(5) HostKey"
KNOWN = because(
    "The host key of each node, under its names and addresses.",
    readers="`hardway ssh`; your own ssh, with UserKnownHostsFile",
    breaks="ssh asks whether to trust a key that nobody can verify",
    source="sshd(8), SSH_KNOWN_HOSTS FILE FORMAT",
)
LOGIN_KEY = because(
    "The key to log in with, made because install-config has no sshKey. Anyone who has it can log in to every node as "
    "user core, who may become root.",
    readers="`hardway ssh`; your own ssh, with -i",
    breaks="nobody can log in to a machine whose kubelet does not start",
    source="install-config has no sshKey",
)
LOGIN_LINE = because(
    "The public half of the login key, as a line of authorized_keys.",
    readers="sshd on every node, user core",
    breaks="the login key is refused",
    source="install-config has no sshKey",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class HostKey:
    """A type of host key, and where sshd looks for one of it."""

    name: str
    path: str
    why: Why

    def of(self, node: Node) -> str:
        """Its address."""
        return f"key/ssh-host-{self.name}-{node.name}"


def _host_key(name: str, what: str) -> HostKey:
    why = because(
        f"{what} The operating system makes a host key at the first boot only where there is none, so it keeps this "
        "one. It is in this node's Ignition file and in no other.",
        readers="sshd on the node",
        breaks="the node makes a key that nobody knows, and the first login to it trusts any machine that answers",
        source=SSHD,
    )
    return HostKey(name=name, path=f"/etc/ssh/ssh_host_{name}_key", why=why)


HOST_KEYS: tuple[HostKey, ...] = (
    _host_key("ed25519", "The SSH host key of the type that ssh prefers."),
    _host_key("ecdsa", "The SSH host key for FIPS mode, where sshd does not offer Ed25519."),
)
"""RSA is left to the node: its key is in no list, and so it is not believed."""


def host_keys(nodes: Iterable[Node]) -> list[str]:
    return [row.of(node) for node in nodes for row in HOST_KEYS]


def login_needs(cluster: Cluster) -> tuple[str, ...]:
    """The address of the login key's public half, where there is one."""
    return () if cluster.ssh_key.strip() else (LOGIN_PUBLIC,)


def login(given: Given) -> str:
    """Who may log in: the line of install-config, or that of the key made for the cluster."""
    return given.cluster.ssh_key.strip() or given.text(LOGIN_PUBLIC).strip()


def bootstrap_rows(cluster: Cluster) -> Iterator[FileRow]:
    for row in HOST_KEYS:
        yield FileRow(path=row.path, mode=SECRET, source=row.of(cluster.bootstrap), why=row.why)


def assets(cluster: Cluster) -> Iterator[Asset]:
    for node in cluster.nodes:
        for row in HOST_KEYS:
            yield _key(row.of(node), f"ssh/hosts/{node.name}{row.path.removeprefix('/etc/ssh')}", row.name, row.why)
    yield Asset(
        address=KNOWN_HOSTS,
        stage=STAGE,
        path=KNOWN_HOSTS_PATH,
        mode=SECRET,
        kind="derived",
        make=_known_hosts,
        needs=tuple(host_keys(cluster.nodes)),
        why=KNOWN,
    )
    if login_needs(cluster):
        yield _key(LOGIN, LOGIN_PATH, "ecdsa", LOGIN_KEY)
        yield Asset(
            address=LOGIN_PUBLIC,
            stage=STAGE,
            path=f"{LOGIN_PATH}.pub",
            mode=SECRET,
            kind="derived",
            make=lambda given: _public(given, LOGIN) + b"\n",
            needs=(LOGIN,),
            why=LOGIN_LINE,
        )


def _key(address: str, path: str, kind: str, why: Why) -> Asset:
    make = partial(_make_key, address)
    return Asset(address=address, stage=STAGE, path=path, mode=SECRET, kind="origin", make=make, params=kind, why=why)


def _make_key(address: str, given: Given) -> bytes:
    if given.params == "ecdsa":
        from hardway.pki.private import private_pem

        return private_pem(given.entropy.key(address, "ecdsa-p256"))
    return _openssh(given.entropy.random(address, 32))


def _openssh(seed: bytes) -> bytes:
    """An Ed25519 key in the form of OpenSSH's PROTOCOL.key, the only one that sshd reads for this type. The library's
    writer would put random bytes into it, and two builds with the same keys would differ."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    public = Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()
    known = _field(b"ssh-ed25519") + _field(public)
    twice = sha256(seed).digest()[:4] * 2  # shows a reader that it has decrypted well; here nothing is encrypted
    private = twice + known + _field(seed + public) + _field(b"")
    private += bytes(range(1, 1 + -len(private) % 8))
    head = b"openssh-key-v1\0" + _field(b"none") + _field(b"none") + _field(b"") + (1).to_bytes(4)
    lines = wrap(b64encode(head + _field(known) + _field(private)).decode(), 70)
    return "\n".join(["-----BEGIN OPENSSH PRIVATE KEY-----", *lines, "-----END OPENSSH PRIVATE KEY-----", ""]).encode()


def _field(content: bytes) -> bytes:
    return len(content).to_bytes(4) + content


def _public(given: Given, address: str) -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    try:
        return _load(given[address]).public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH)
    except (ValueError, TypeError):
        fix = f"put the right one back, or replace it with `hardway build --rotate {address}`"
        raise ToolError(f"{address} is not a readable private key.\n    fix: {fix}") from None


def _load(private: bytes) -> SshKey:
    from cryptography.hazmat.primitives.serialization import load_pem_private_key, load_ssh_private_key

    found = (load_ssh_private_key if b"OPENSSH" in private[:40] else load_pem_private_key)(private, None)
    return found  # type: ignore[return-value]  # one of the two that are made here


def names_of(node: Node, cluster: Cluster) -> tuple[str, ...]:
    """What a node is reached by: its name, the name that DNS has, its addresses."""
    full = () if "." in node.name else (f"{node.name}.{cluster.domain}",)
    return (node.name, *full, *node.addresses)


def _known_hosts(given: Given) -> bytes:
    lines = [
        f"{','.join(names_of(node, given.cluster))} {_public(given, row.of(node)).decode()}\n"
        for node in given.cluster.nodes
        for row in HOST_KEYS
    ]
    return "".join(lines).encode()
