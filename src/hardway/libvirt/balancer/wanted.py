"""The files of the load balancer on the host, as the plan wants them. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from ipaddress import ip_address

from hardway.libvirt.balancer.unit import ADDRESSES, BALANCER, text
from hardway.libvirt.identity import Identity
from hardway.model.cluster import Cluster
from hardway.network.haproxy import config

UNITS = "/etc/systemd/system"
CONFIGS = "/etc/hardway"
SOCKETS = "/var/lib/haproxy/hardway-"
"""Below HAProxy's own folder: SELinux lets it make a socket there."""
PROGRAM = "/usr/sbin/haproxy"
IP = "/usr/sbin/ip"


def unit_name(identity: Identity, unit: str) -> str:
    """The cluster's mark is in the name: the infrastructure name of stage 03."""
    return f"hardway-{identity.infra_id}-{unit}.service"


def unit_path(identity: Identity, unit: str) -> str:
    return f"{UNITS}/{unit_name(identity, unit)}"


def config_path(identity: Identity) -> str:
    return f"{CONFIGS}/{identity.infra_id}/{config.NAME}"


def socket_path(identity: Identity) -> str:
    return f"{SOCKETS}{identity.infra_id}.sock"


def paths(identity: Identity) -> tuple[str, ...]:
    """Everything that may be there."""
    return (config_path(identity), *(unit_path(identity, unit) for unit in (ADDRESSES, BALANCER)))


def first_line(identity: Identity) -> str:
    """By it a file is known as this cluster's."""
    return f"# hardway infra: cluster {identity.cluster_id}; `hardway infra down` removes this file"


def ours(found: str, identity: Identity) -> bool:
    return found.partition("\n")[0] == first_line(identity)


def files(
    cluster: Cluster, identity: Identity, bridge: str, addresses: Sequence[str], gone: tuple[str, ...]
) -> Mapping[str, str]:
    """By path. `addresses`: those that are this cluster's on an existing bridge; a NAT network brings its own. `gone`:
    machines that are removed for good."""
    made = {config_path(identity): _config(cluster, identity, gone)}
    if addresses:
        made[unit_path(identity, ADDRESSES)] = _addresses(identity, bridge, addresses)
    return made | {unit_path(identity, BALANCER): _balancer(identity, with_addresses=bool(addresses))}


def _config(cluster: Cluster, identity: Identity, gone: tuple[str, ...]) -> str:
    """Without the page of statistics: its port is one for the whole host, and a host may have several clusters."""
    first = first_line(identity)
    return config.config(cluster, socket=socket_path(identity), without=gone, first=first, statistics=False)


def _balancer(identity: Identity, *, with_addresses: bool) -> str:
    path = config_path(identity)
    given = {
        "cluster": identity.cluster,
        "addresses_unit": unit_name(identity, ADDRESSES) if with_addresses else "",
        "socket": socket_path(identity),
        "program": PROGRAM,
        "config": path,
        "reload": (f"{PROGRAM} -c -q -f {path}", "/bin/kill -USR2 $MAINPID"),
    }
    return text(BALANCER, first_line(identity), given)


def _addresses(identity: Identity, bridge: str, addresses: Sequence[str]) -> str:
    given = {
        "cluster": identity.cluster,
        "device": f"sys-subsystem-net-devices-{escaped(bridge)}.device",
        "add": [f"{IP} address replace {a}/{ip_address(a).max_prefixlen} dev {bridge}" for a in addresses],
    }
    return text(ADDRESSES, first_line(identity), given)


def escaped(name: str) -> str:
    """As systemd-escape writes it: a dash would be a slash."""
    return re.sub(r"[^A-Za-z0-9:_.]", lambda found: f"\\x{ord(found[0]):02x}", name)
