"""Stage 08: SSH host keys. A node shows the key that ssh/known_hosts has for it, and no other node can show it."""

from __future__ import annotations

from collections.abc import Iterator

from hardway.checks.files.artifacts import Artifacts
from hardway.checks.files.ignition.file import REBUILD, Ign, files
from hardway.checks.files.shapes import ssh_public_half
from hardway.ignition.ssh import HOST_KEYS, KNOWN_HOSTS_PATH, LOGIN, host_keys, login_needs, names_of
from hardway.model.check import Flaw


def _shown(ign: Ign) -> dict[str, str | None]:
    """The public keys that the node's sshd will show, as lines of known_hosts have them, by path."""
    return {row.path: ssh_public_half(ign.file(row.path) or b"") for row in HOST_KEYS}


def _pinned(artifacts: Artifacts) -> dict[str, set[str]]:
    """The keys of each name and address."""
    found: dict[str, set[str]] = {}
    for line in artifacts.text(KNOWN_HOSTS_PATH).splitlines():
        hosts, _, key = line.partition(" ")
        for name in hosts.split(","):
            found.setdefault(name, set()).add(key)
    return found


def known(artifacts: Artifacts) -> Iterator[Flaw]:
    pinned = _pinned(artifacts)
    for node, ign in files(artifacts):
        shown = _shown(ign)
        for path in (path for path, key in shown.items() if key is None):
            yield Flaw(subject=ign.path, message=f"{path} is missing, or is no private SSH key", fix=REBUILD)
        wrong = [name for name in names_of(node, artifacts.cluster) if pinned.get(name) != set(shown.values())]
        if None not in shown.values() and wrong:
            message = f"{', '.join(wrong)}: not the keys that {ign.path} has"
            fix = f"remove {KNOWN_HOSTS_PATH} and run `hardway build 08`"
            yield Flaw(subject=KNOWN_HOSTS_PATH, message=message, fix=fix, origin=ign.path)


def own(artifacts: Artifacts) -> Iterator[Flaw]:
    """By what the list says of each name, and whatever the file is called."""
    pinned = _pinned(artifacts)
    owner = {key: node.name for node in artifacts.cluster.nodes for key in pinned.get(node.name, ())}
    for node, ign in files(artifacts):
        for entry in ign.entries:
            content = ign.content(entry)
            other = owner.get(ssh_public_half(content) or "") if b"PRIVATE KEY" in content[:60] else None
            if other not in (None, node.name):
                message = f"{entry.get('path')} is the SSH host key of {other}"
                yield Flaw(subject=ign.path, message=message, fix=REBUILD)


def readable(artifacts: Artifacts) -> Iterator[Flaw]:
    """The private keys on disk: a build without one of them stops, and one that is empty logs nobody in."""
    login = [LOGIN] if login_needs(artifacts.cluster) else []
    for address in [*login, *host_keys(artifacts.cluster.nodes)]:
        path = artifacts.paths[address]
        if ssh_public_half(artifacts.read(path) or b"") is None:
            message = "is not a private SSH key that can be read" if artifacts.exists(path) else "the file is missing"
            yield Flaw(subject=path, message=message, fix=f"put it back, or run `hardway build --rotate {address}`")
