"""firewalld, where a host has it: its zone for libvirt's networks lets machines reach nothing of the host but DHCP and
DNS, so each port of the load balancer is opened, at the load balancer's own addresses and nowhere else."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_address

from hardway.libvirt.host import Host
from hardway.model.cluster import Cluster
from hardway.model.errors import ToolError
from hardway.network.frontends import TABLE
from hardway.tools.run import attempt, explain, run

NAT_ZONE = "libvirt"
"""Where libvirt itself puts the bridge of a NAT network."""

ABSENT = (36, 127, 252)
"""Exit codes of firewall-cmd: there is no D-Bus to ask; no such program; firewalld does not run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Firewall:
    """The rules of one zone: those of now, and those of after a reload."""

    zone: str
    now: frozenset[str] = frozenset()
    later: frozenset[str] = frozenset()


def rules(cluster: Cluster) -> dict[str, str]:
    """The rules in firewalld's own spelling, each with its reason."""
    return {opening(vip, row.port): row.why.what for row in TABLE for vip in row.vips(cluster)}


def opening(address: str, port: int) -> str:
    """The rule that lets a zone in on one port at one address."""
    family = f"ipv{ip_address(address).version}"
    return f'rule family="{family}" destination address="{address}" port port="{port}" protocol="tcp" accept'


def observe_firewall(host: Host, bridge: str) -> Firewall | None:
    """The zone of an existing bridge, or of libvirt's own; nothing where firewalld does not run or cannot be asked."""
    if not host.reachable or not _runs(host):
        return None
    zone = _zone(host, bridge) if bridge else NAT_ZONE
    now, later = (
        frozenset(run(host.command("firewall-cmd", *when, f"--zone={zone}", "--list-rich-rules")).splitlines())
        for when in ((), ("--permanent",))
    )
    return Firewall(zone=zone, now=now, later=later)


def _runs(host: Host) -> bool:
    done = attempt(host.command("sh", "-c", "firewall-cmd --state"))
    if done.ok or done.code in ABSENT:
        return done.ok
    raise ToolError(f"{explain(done)}\n    fix: run it as root, or read firewalld's log")


def _zone(host: Host, bridge: str) -> str:
    done = attempt(host.command("firewall-cmd", f"--get-zone-of-interface={bridge}"))
    return done.output.strip() if done.ok else run(host.command("firewall-cmd", "--get-default-zone")).strip()


def change_rule(host: Host, action: str, zone: str, rule: str) -> None:
    """Now and for good. firewalld takes what is there already, or gone already, for a success."""
    for when in ((), ("--permanent",)):
        run(host.command("firewall-cmd", *when, f"--zone={zone}", f"--{action}-rich-rule={rule}"))
