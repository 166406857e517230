"""The lab's infrastructure: names by dnsmasq, load by HAProxy, images by a registry, all at the gateway's namespace."""

from __future__ import annotations

import socket
from collections.abc import Callable
from ipaddress import ip_address
from pathlib import Path

from hardway.lab import cgroups, network
from hardway.lab.launch import last_lines, launch
from hardway.lab.site import BALANCER, Site
from hardway.model.cluster import Cluster
from hardway.model.errors import ConfigError, ToolError
from hardway.network.dns import dnsmasq
from hardway.network.files import write
from hardway.network.haproxy import config as haproxy
from hardway.network.haproxy.runtime import servers
from hardway.tools.patience import Patience

NAMES, LOAD, IMAGES = "dnsmasq", "haproxy", "registry"
REGISTRY_PORT = 5000
SECONDS = 30.0


def registry(cluster: Cluster) -> str:
    """Where nodes, and this machine, find images: plain HTTP, on the lab's own bridge alone."""
    return f"{registry_host(cluster)}:{REGISTRY_PORT}"


def registry_host(cluster: Cluster) -> str:
    found = next((gateway for gateway in cluster.gateways if ip_address(gateway).version == 4), None)
    if found is None:
        raise ConfigError(
            "networking.machineNetwork: a lab needs one of IPv4 too, for the name of an image cannot have an IPv6 "
            "address in it.\n    fix: add an IPv4 network to machineNetwork, clusterNetwork and serviceNetwork"
        )
    return found


def storage(site: Site) -> Path:
    """The registry's."""
    return site.folder / IMAGES


def admin_socket(site: Site) -> Path:
    """HAProxy's, through which servers are taken out of service."""
    return site.services / "admin.sock"


def up(site: Site, cluster: Cluster, *, without: tuple[str, ...] = ()) -> None:
    """All three, from the same generated configuration as on libvirt; those that run stay as they are."""
    texts = {
        haproxy.NAME: haproxy.config(cluster, socket=str(admin_socket(site)), without=without),
        dnsmasq.NAME: dnsmasq.config(cluster),
    }
    write(site.services, texts)
    _start_names(site, cluster)
    _start_load(site)
    _start_registry(site, cluster)


def _start_names(site: Site, cluster: Cluster) -> None:
    """Nobody is asked about names outside of the cluster: the lab needs none, and its namespace leads nowhere."""
    config = str(site.services / dnsmasq.NAME)
    _start(
        site,
        NAMES,
        ["dnsmasq", "--keep-in-foreground", f"--conf-file={config}", "--no-resolv", "--pid-file=", "--log-facility=-"],
        lambda: _listens(cluster.gateways[0], 53),
    )


def _start_load(site: Site) -> None:
    config = str(site.services / haproxy.NAME)
    _start(site, LOAD, ["haproxy", "-db", "-f", config], lambda: _answers(admin_socket(site)))


def _start_registry(site: Site, cluster: Cluster) -> None:
    host, config = registry(cluster), site.services / "registry.yml"
    storage(site).mkdir(parents=True, exist_ok=True)
    config.write_text(
        "version: 0.1\n"
        "log: {level: warn, accesslog: {disabled: true}}\n"
        f"storage: {{filesystem: {{rootdirectory: {storage(site)}}}, delete: {{enabled: true}}}}\n"
        f'http: {{addr: "{host}"}}\n'
    )
    command = ["docker-registry", "serve", str(config)]
    _start(site, IMAGES, command, lambda: _listens(registry_host(cluster), REGISTRY_PORT))


def _start(site: Site, what: str, command: list[str], ready: Callable[[], bool]) -> None:
    log = site.services / f"{what}.log"
    launch(site, what, network.command(site, BALANCER, command), log=log)
    patience = Patience(SECONDS)
    while not ready():
        if not cgroups.runs(site, what) or patience.ended():
            raise ToolError(
                f"lab {site.name}: {what} did not start. It said, in {log}:\n{last_lines(log)}\n"
                "    fix: what it says; a second start of the lab tries again"
            )
        cgroups.pause()


def _listens(address: str, port: int) -> bool:
    """Asked from this machine, over the bridge."""
    try:
        with socket.create_connection((address, port), timeout=2):
            return True
    except OSError:
        return False


def _answers(admin: Path) -> bool:
    try:
        return bool(servers(admin))
    except ToolError:
        return False
