"""Whether what you brought will do: pull secret, ssh key, the machines' sizes. No secret gets into a message."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Iterator
from typing import Any

from hardway.checks.host.sizes import LIVE_MEMORY_MIB, Machines, minimum
from hardway.checks.host.subject import Host, Planned
from hardway.model.check import Flaw

GET = "put yours from console.redhat.com/openshift into install-config.yaml"
PLACEHOLDERS = ("example", "user", "username", "changeme", "fake", "test", "password", "pass", "secret")
MIB = 1024


def pull_secret(host: Host) -> Iterator[Flaw]:
    auths = _auths(host.planned.cluster.pull_secret)
    for registry, entry in sorted(auths.items()):
        if _placeholder(entry):
            message = f"the credentials of {registry[:60]} are a placeholder, which the registry will refuse"
            yield Flaw(subject="pull secret", message=message, fix=GET)
    mirrored = host.planned.cluster.digest_sources or host.planned.cluster.content_sources
    if "quay.io" not in {name.removeprefix("https://").split("/")[0] for name in auths} and not mirrored:
        message = "has no credentials for quay.io, where the release's images are"
        yield Flaw(subject="pull secret", message=message, fix=GET)


def _auths(text: str) -> dict[str, Any]:
    try:
        auths = json.loads(text)["auths"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return {}
    return auths if isinstance(auths, dict) else {}


def _placeholder(entry: Any) -> bool:
    """User and password the same, or both words that nobody is given."""
    try:
        user, _, password = b64decode(entry["auth"], validate=True).decode().partition(":")
    except (ValueError, KeyError, TypeError, RecursionError):
        return True
    return user == password or not password or (user in PLACEHOLDERS and password in PLACEHOLDERS)


def ssh_key(host: Host) -> Iterator[Flaw]:
    if not host.planned.cluster.ssh_key:
        message = "is missing: the build makes a key to log in with, assets/ssh/login"
        fix = "to use your own, put the line of ~/.ssh/id_ed25519.pub into install-config.yaml as sshKey"
        yield Flaw(subject="ssh key", message=message, fix=fix, severity="warning")


def sizes(host: Host) -> Iterator[Flaw]:
    for machines in host.planned.cost.machines:
        least = minimum(host.planned.cluster, machines.role)
        amounts = (
            ("processors", machines.each.vcpus, least.vcpus),
            ("MiB of memory", machines.each.memory_mib, least.memory_mib),
            ("GiB of disk", machines.each.disk_gib, least.disk_gib),
        )
        for unit, has, needs in amounts:
            if has < needs:
                yield Flaw(
                    subject=machines.role,
                    message=f"has {has} {unit}, and the role needs {needs}",
                    fix=f"give it more with --size {_size(machines, host.planned)}",
                )


def _size(machines: Machines, planned: Planned) -> str:
    least, each = minimum(planned.cluster, machines.role), machines.each
    memory = -(-max(each.memory_mib, least.memory_mib) // MIB)
    return f"{machines.role}={max(each.vcpus, least.vcpus)},{memory}GiB,{max(each.disk_gib, least.disk_gib)}GiB"


def live_memory(host: Host) -> Iterator[Flaw]:
    for machines in host.planned.cost.machines:
        if machines.each.memory_mib < LIVE_MEMORY_MIB:
            message = f"has {machines.each.memory_mib} MiB of memory, and the live system needs {LIVE_MEMORY_MIB}"
            fix = f"give it more with --size {_size(machines, host.planned)}"
            yield Flaw(subject=machines.role, message=message, fix=fix)
