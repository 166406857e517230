"""Addresses and files of the host: what virsh cannot set, so it goes over ssh where libvirt is remote."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from hardway.model.errors import ConfigError, ToolError
from hardway.tools.run import attempt, explain, run
from hardway.tools.virsh import ssh

PLACING = """umask 022
mkdir -p -- "${1%/*}"
cat >"$1.part"
mv -fT -- "$1.part" "$1"
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """The machine that a connection's libvirt runs on."""

    connect: str

    @property
    def is_this_machine(self) -> bool:
        return not urlsplit(self.connect).hostname

    @property
    def reachable(self) -> bool:
        """Whether commands can be run there."""
        uri = urlsplit(self.connect)
        return self.is_this_machine or uri.scheme.endswith("+ssh")

    def addresses(self, bridge: str, *, required: bool) -> frozenset[str]:
        """What is on the bridge now; a bridge that is gone, if that may be, took its addresses along."""
        done = attempt(self.command("ip", "-json", "address", "show", "dev", bridge))
        if not done.ok and not required:
            return frozenset()
        if not done.ok:
            fix = f"make the bridge {bridge} on the host, or name another with --bridge"
            raise ToolError(f"{explain(done)}\n    fix: {fix}")
        entries = (entry for link in json.loads(done.output) for entry in link.get("addr_info", ()))
        return frozenset(str(ip_address(entry["local"])) for entry in entries)

    def add(self, address: str, bridge: str) -> None:
        run(self.command("ip", "address", "add", _alone(address), "dev", bridge))

    def remove(self, address: str, bridge: str) -> None:
        run(self.command("ip", "address", "del", _alone(address), "dev", bridge))

    def write(self, path: str, text: str) -> None:
        """A file that everybody may read, whole or not at all; its folder is made if it is not there."""
        run(self.command("sh", "-ec", PLACING, "sh", path), stdin=text)

    def command(self, *words: str) -> list[str]:
        """Here as it is; behind the ssh of the URI as one word, because a shell reads it there."""
        uri = urlsplit(self.connect)
        if not uri.hostname:
            return list(words)
        if not self.reachable:
            raise ConfigError(
                f"--connect {self.connect}: addresses on a bridge of that host cannot be set over this connection.\n"
                "    fix: use qemu+ssh://HOST/system, or --no-vips and set them yourself"
            )
        return [*ssh(uri), shlex.join(words)]


def _alone(address: str) -> str:
    """As an address of the host only, so that it brings no second route to the network."""
    return f"{address}/{ip_address(address).max_prefixlen}"
