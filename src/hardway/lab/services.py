"""The lab's infrastructure: names by dnsmasq, load by HAProxy, images by a registry, all at the gateway's namespace."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from pathlib import Path

from hardway.lab import cgroups, network
from hardway.lab.launch import last_lines, launch
from hardway.lab.paths import BALANCER, LabPaths
from hardway.model.cluster import Cluster
from hardway.model.errors import ConfigError, ToolError
from hardway.network.dns import dnsmasq
from hardway.network.files import write
from hardway.network.haproxy import config as haproxy
from hardway.network.haproxy.runtime import servers
from hardway.tools.patience import Patience
from hardway.tools.run import attempt

NAMES, LOAD, IMAGES = "dnsmasq", "haproxy", "registry"
PUSHED = "registry-writer"
REGISTRY_PORT = 5000
LOOPBACK, WRITER_PORT = "127.0.0.1", 5001  # of the gateway's namespace: no node and no pod is in it
READ_ONLY = "maintenance: {readonly: {enabled: true}}"
SECONDS = 30.0


def registry(cluster: Cluster) -> str:
    """Where nodes, and this machine, find images: plain HTTP, on the lab's own bridge alone, and for reading alone."""
    return f"{registry_host(cluster)}:{REGISTRY_PORT}"


def registry_host(cluster: Cluster) -> str:
    found = next((gateway for gateway in cluster.gateways if ip_address(gateway).version == 4), None)
    if found is None:
        raise ConfigError(
            "networking.machineNetwork: a lab needs an IPv4 network too, because an image name cannot contain an "
            "IPv6 address.\n"
            "    fix: add an IPv4 network to machineNetwork, clusterNetwork and serviceNetwork"
        )
    return found


def storage(paths: LabPaths) -> Path:
    """The registry's."""
    return paths.folder / IMAGES


def admin_socket(paths: LabPaths) -> Path:
    """HAProxy's, through which servers are taken out of service."""
    return paths.services / "admin.sock"


def up(paths: LabPaths, cluster: Cluster, *, without: tuple[str, ...] = ()) -> None:
    """All three, from the same generated configuration as on libvirt; those that run stay as they are."""
    texts = {
        haproxy.NAME: haproxy.config(cluster, socket=str(admin_socket(paths)), without=without),
        dnsmasq.NAME: dnsmasq.config(cluster),
    }
    write(paths.services, texts)
    for what in (NAMES, LOAD, IMAGES):
        start(paths, cluster, what)


def start(paths: LabPaths, cluster: Cluster, what: str) -> None:
    """One of the three, with its configuration as it is; if it runs, it stays as it is."""
    if what == NAMES:
        _start_names(paths, cluster)
    elif what == LOAD:
        _start_load(paths)
    else:
        _start_registry(paths, cluster)


def _start_names(paths: LabPaths, cluster: Cluster) -> None:
    """Nobody is asked about names outside of the cluster: the lab needs none, and its namespace leads nowhere."""
    config = str(paths.services / dnsmasq.NAME)
    _start(
        paths,
        NAMES,
        ["dnsmasq", "--keep-in-foreground", f"--conf-file={config}", "--no-resolv", "--pid-file=", "--log-facility=-"],
        lambda: _listens(cluster.gateways[0], 53),
    )


def _start_load(paths: LabPaths) -> None:
    config = str(paths.services / haproxy.NAME)
    _start(paths, LOAD, ["haproxy", "-db", "-f", config], lambda: _answers(admin_socket(paths)))


def _start_registry(paths: LabPaths, cluster: Cluster) -> None:
    command = _registry(paths, IMAGES, registry(cluster), READ_ONLY)
    _start(paths, IMAGES, command, lambda: _listens(registry_host(cluster), REGISTRY_PORT))


def _registry(paths: LabPaths, name: str, address: str, *settings: str) -> list[str]:
    """Over the one storage; the command that serves it."""
    config = paths.services / f"{name}.yml"
    storage(paths).mkdir(parents=True, exist_ok=True)
    rows = ", ".join([f"filesystem: {{rootdirectory: {storage(paths)}}}", *settings])
    config.write_text(
        "version: 0.1\n"
        "log: {level: warn, accesslog: {disabled: true}}\n"
        f"storage: {{{rows}}}\n"
        f'http: {{addr: "{address}"}}\n'
    )
    return ["docker-registry", "serve", str(config)]


@contextmanager
def writable(paths: LabPaths) -> Iterator[str]:
    """The address of a second registry that accepts pushes, in the gateway's namespace, for the length of the block.
    Nodes and pods can only read: they trust what the registry has under a name."""
    address = f"{LOOPBACK}:{WRITER_PORT}"
    probe = network.command(paths, BALANCER, ["bash", "-c", f": <>/dev/tcp/{LOOPBACK}/{WRITER_PORT}"])
    try:
        _start(paths, PUSHED, _registry(paths, PUSHED, address), lambda: attempt(probe).ok)
        yield address
    finally:
        cgroups.end(paths, PUSHED)
        cgroups.remove(paths, PUSHED)


def _start(paths: LabPaths, what: str, command: list[str], ready: Callable[[], bool]) -> None:
    log = paths.services / f"{what}.log"
    launch(paths, what, network.command(paths, BALANCER, command), log=log)
    patience = Patience(SECONDS)
    while not ready():
        if not cgroups.runs(paths, what) or patience.ended():
            raise ToolError(
                f"lab {paths.name}: {what} did not start. Its log, in {log}:\n"
                f"{last_lines(log)}\n"
                "    fix: read the log; a second start of the lab tries again"
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
