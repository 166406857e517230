"""The cluster as it can be touched: its API, its etcd members, and its machines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from hardway.drive.access import Access, read_kubeconfig
from hardway.drive.client import Client
from hardway.drive.etcd import CLIENT_PORT, Etcd
from hardway.drive.machines import Machines
from hardway.drive.wire import Endpoint, Identity
from hardway.io import links, plain
from hardway.model.cluster import Cluster
from hardway.model.errors import ToolError
from hardway.staticpods.apiserver.serving import PORT

ADMIN = "auth/kubeconfig"
ETCD_BY_HAND = "tls"
ETCD_BY_OPERATOR = "bootkube/tls"  # below assets: taken from the bootstrap node on the rendered road
ETCD_FILES = ("etcd-ca-bundle.crt", "etcd-client.crt", "etcd-client.key")
QUICK = 4.0  # seconds for a question to one machine that may be off


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveCluster:
    cluster: Cluster
    assets: Path
    machines: Machines
    api: Client  # through the load balancer
    apis: Mapping[str, Client]  # each control-plane node's own
    members: Mapping[str, Etcd]  # each control-plane node's own
    pool: ThreadPoolExecutor

    def asset(self, path: str) -> bytes:
        return read_asset(self.assets, path)


def read_asset(assets: Path, path: str) -> bytes:
    try:
        return links.read(assets / path, below=assets)
    except plain.NotPlain:
        raise
    except OSError as error:
        fix = "build it first: `hardway build`"
        raise ToolError(f"{assets / path}: {error.strerror}.\n    fix: {fix}") from None


def open_cluster(cluster: Cluster, assets: Path, machines: Machines, *, reach: Sequence[str] = ()) -> LiveCluster:
    """`reach`: where the load balancer is; without it, where the plan has it."""
    text = read_asset(assets, ADMIN).decode()
    admin = read_kubeconfig(text, reach=reach or cluster.api_vips, what=ADMIN)
    return LiveCluster(
        cluster=cluster,
        assets=assets,
        machines=machines,
        api=Client(admin),
        apis={n.name: _direct(admin, n.address) for n in cluster.control_plane},
        members=members(cluster, assets),
        pool=ThreadPoolExecutor(max_workers=2 * len(cluster.control_plane), thread_name_prefix="observe"),
    )


def members(cluster: Cluster, assets: Path) -> dict[str, Etcd]:
    """Of every node that may have one, by the node's name."""
    identity = _etcd_client(assets)
    return {n.name: _member(identity, n.address) for n in cluster.control_plane}


def _etcd_client(assets: Path) -> Identity:
    """On the rendered road the etcd operator makes a PKI of its own, and the pair from it is what etcd believes."""
    folder = ETCD_BY_OPERATOR if (assets / ETCD_BY_OPERATOR / ETCD_FILES[-1]).exists() else ETCD_BY_HAND
    trust, certificate, key = (read_asset(assets, f"{folder}/{name}") for name in ETCD_FILES)
    return Identity(trust=trust, certificate=certificate, key=key)


def _direct(admin: Access, address: str) -> Client:
    """By address, and still under the API's name: an operator's API server has no certificate with addresses."""
    place = Endpoint(host=address, port=PORT, name=admin.endpoints[0].name)
    return Client(Access(endpoints=(place,), identity=admin.identity), seconds=QUICK)


def _member(identity: Identity, address: str) -> Etcd:
    return Etcd([Endpoint(host=address, port=CLIENT_PORT)], identity, seconds=QUICK)
