"""Everything around the server: what is left to deliver, the files that tell the machines, and the run itself."""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hardway.deliver import identity
from hardway.deliver.ledger import Ledger, Parcel, names, parcels
from hardway.deliver.pointer import base_url, pointer, pointer_path, ways, ways_path
from hardway.deliver.policy import DeliveryPolicy
from hardway.deliver.server import Event, Server, is_here
from hardway.model.cluster import is_address
from hardway.model.entropy import Entropy
from hardway.model.errors import ConfigError
from hardway.workspace.folder import Workspace

LOOPBACK = "127.0.0.1"
ANY = ("0.0.0.0", "::")  # noqa: S104  (compared with, never chosen)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where the server listens, and under which name the machines reach it."""

    address: str
    port: int
    host: str
    unreachable: str = ""  # why no machine can connect to it

    @property
    def url(self) -> str:
        return base_url(self.host, self.port)


def choose_place(gateways: Sequence[str], listen_on: str | None, port: int, name: str | None) -> Place:
    """What is asked for, or the machines' gateway, if that is this machine; else `reachable` refuses it."""
    if listen_on is not None and not is_address(listen_on):
        raise ConfigError(f"--listen {listen_on}: is not an IP address.\n    fix: give an address of this machine")
    if listen_on in ANY and not name:
        raise ConfigError(
            f"--listen {listen_on}: the machines need a name or address to connect to.\n    fix: give it with --name"
        )
    if listen_on is not None:
        return Place(address=listen_on, port=port, host=name or listen_on)
    if gateways and is_here(gateways[0]):
        return Place(address=gateways[0], port=port, host=name or gateways[0])
    away = f"{gateways[0] if gateways else 'the gateway'} is not an address of this machine"
    return Place(address=LOOPBACK, port=port, host=name or LOOPBACK, unreachable=away)


def reachable(place: Place, other_fix: str = "") -> Place:
    """A server that only this machine can reach is of no use to the others."""
    if place.unreachable:
        raise ConfigError(
            f"the machines have no address to fetch their Ignition from: {place.unreachable}.\n"
            f"    fix: give an address of this machine that they reach, with --listen ADDRESS{other_fix}"
        )
    return place


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """What one run is about."""

    place: Place
    ledger: Ledger
    parcels: tuple[Parcel, ...]
    identity: identity.Identity

    @property
    def left(self) -> tuple[str, ...]:
        """The nodes whose file nobody has asked for yet."""
        return tuple(p.node for p in self.parcels if p.node not in self.ledger.receipts)

    @property
    def broken(self) -> tuple[str, ...]:
        """The nodes whose file was sent and did not arrive."""
        receipts = self.ledger.receipts
        return tuple(p.node for p in self.parcels if p.node in receipts and not receipts[p.node].delivered)


def plan(
    workspace: Workspace, place: Place, wanted: Sequence[str], every: bool, again: Sequence[str], entropy: Entropy
) -> Delivery:
    """Read and decide; nothing is written."""
    ledger = Ledger(workspace.store)
    chosen = names(workspace, [*wanted, *again], every)
    ledger.again(again)
    found = parcels(workspace, chosen, ledger, entropy)
    proof = identity.make(workspace.store, reachable(place).host, entropy)
    return Delivery(place=place, ledger=ledger, parcels=found, identity=proof)


def prepare(workspace: Workspace, delivery: Delivery) -> tuple[str, ...]:
    """Keep the tokens, and write what each machine is to be given. The nodes whose earlier pointer is void now."""
    delivery.ledger.save()
    cluster = workspace.loaded.cluster
    nodes = {node.name: node for node in cluster.nodes}
    proof, store, void = delivery.identity, workspace.store, []
    for parcel in delivery.parcels:
        small = pointer(delivery.place.url, parcel, proof.authority, cluster.line.ignition.written)
        if store.read(pointer_path(parcel.node)) not in (None, small):
            void.append(parcel.node)
        text = ways(delivery.place.url, parcel, nodes[parcel.node], proof.authority_fingerprint)
        store.write(pointer_path(parcel.node), small, 0o600)
        store.write(ways_path(parcel.node), text, 0o600)
    return tuple(void)


def serve(
    delivery: Delivery, listener: socket.socket, entropy: Entropy, seconds: float, tell: Callable[[Event], None]
) -> None:
    """Serve until every file was sent or the time is over."""
    policy = DeliveryPolicy(delivery.parcels, delivery.ledger, entropy)
    server = Server(policy, identity.context(delivery.identity), entropy, tell)
    server.serve(listener, seconds)
