"""A one-time server on loopback, in this process, and clients for it."""

from __future__ import annotations

import http.client
import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from hardway.deliver import run
from hardway.deliver.identity import context
from hardway.deliver.policy import DeliveryPolicy
from hardway.deliver.server import Event, Server, listen
from hardway.model.entropy import SystemEntropy
from hardway.workspace.folder import Workspace, open_workspace
from tests.support import waiting
from tests.support.lent import lent
from tests.support.trees import built_now

HOST = "127.0.0.1"
SECONDS = 3600.0  # unless it has no more to serve


def folder_of(to: Path) -> Path:
    """A built cluster folder to change; its nodes are bootstrap and three masters."""
    shutil.copytree(_built(), to, symlinks=True)
    return to


def lent_folder() -> Path:
    """The same, until it is asked for again."""
    return lent(_built())


def _built() -> Path:
    return built_now("compact", "ecdsa-p256").folder


def free_port() -> int:
    with socket.create_server((HOST, 0)) as probe:
        return int(probe.getsockname()[1])


@dataclass
class Running:
    workspace: Workspace
    delivery: run.Delivery
    policy: DeliveryPolicy
    thread: threading.Thread
    events: list[Event]

    @property
    def port(self) -> int:
        return self.delivery.place.port

    def path(self, node: str) -> str:
        return next(f"/{p.node}/{p.token}" for p in self.delivery.parcels if p.node == node)

    def content(self, node: str) -> bytes:
        return (self.workspace.store.root / f"{node}.ign").read_bytes()

    def what(self, node: str) -> list[str]:
        return [event.what for event in self.events if event.node == node]

    def context(self) -> ssl.SSLContext:
        """A client that believes the cluster's root-ca and nobody else."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.load_verify_locations(cadata=self.delivery.identity.authority.decode())
        return context

    def request(self, path: str, method: str = "GET") -> tuple[int, bytes]:
        connection = http.client.HTTPSConnection(HOST, self.port, context=self.context())
        connection.request(method, path, headers={"Accept": "application/vnd.coreos.ignition+json;version=3.4.0"})
        response = connection.getresponse()
        body = response.read()
        connection.close()
        return response.status, body

    def raw(self) -> ssl.SSLSocket:
        return self.context().wrap_socket(socket.create_connection((HOST, self.port)), server_hostname=HOST)


@contextmanager
def serving(folder: Path, *nodes: str, again: tuple[str, ...] = ()) -> Iterator[Running]:
    """A server for these nodes, or all. It is stopped at the end, whatever is left."""
    workspace, entropy = open_workspace(folder), SystemEntropy()
    place = run.choose_place((), HOST, free_port(), None)
    delivery = run.plan(workspace, place, nodes, not nodes, again, entropy)
    run.prepare(workspace, delivery)
    policy = DeliveryPolicy(delivery.parcels, delivery.ledger, entropy)
    events: list[Event] = []
    server = Server(policy, context(delivery.identity), entropy, events.append)
    thread = threading.Thread(target=server.serve, args=(listen(HOST, place.port), SECONDS), daemon=True)
    thread.start()
    try:
        yield Running(workspace=workspace, delivery=delivery, policy=policy, thread=thread, events=events)
    finally:
        policy.finished.set()
        thread.join()


def curl(*words: str | Path) -> subprocess.CompletedProcess[bytes]:
    program = shutil.which("curl")
    assert program, "curl is not installed"
    return subprocess.run([program, "-sS", *words], capture_output=True, check=False)


def until(running: Running, node: str, *what: str) -> None:
    """Wait for the server's own word about what became of a request."""
    waiting.until(
        lambda: set(what) & set(running.what(node)), lambda: f"nothing of {what} in {running.events}", seconds=60
    )
