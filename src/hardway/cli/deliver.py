"""hardway deliver: hand each node its Ignition file, once."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hardway.cli.options import counted, nodes_argument, output_option, warn
from hardway.cli.terminal.text import show, tell
from hardway.cli.terminal.work import busy
from hardway.model.errors import ToolError

if TYPE_CHECKING:
    from hardway.deliver.run import Delivery
    from hardway.deliver.server import Event
    from hardway.workspace.folder import Workspace


@click.command()
@nodes_argument
@click.option("--all", "every", is_flag=True, help="Every node of the plan.")
@click.option("--listen", "listen_on", metavar="ADDRESS", help="An address of this machine. [default: the gateway]")
@click.option("--port", type=click.IntRange(1, 65535), default=8443, show_default=True, help="The port to listen on.")
@click.option("--name", metavar="HOST", help="The name under which the machines reach this server, if not its address.")
@click.option(
    "--timeout",
    "minutes",
    type=click.FloatRange(0, min_open=True),
    metavar="MINUTES",
    default=60.0,
    help="When to stop if a node has not fetched its file. [default: 60]",
)
@click.option("--again", is_flag=True, help="Serve the named nodes once more, with new tokens.")
@click.option("--prepare", "prepare_only", is_flag=True, help="Write the files for the machines, and stop.")
@click.option("--dry-run", is_flag=True, help="Say what would be served; write nothing and listen nowhere.")
@output_option
@click.pass_obj
def deliver(
    folder: Path,
    nodes: tuple[str, ...],
    every: bool,
    listen_on: str | None,
    port: int,
    name: str | None,
    minutes: float,
    again: bool,
    prepare_only: bool,
    dry_run: bool,
    output: str,
) -> None:
    """Serve each node its Ignition file exactly once, over TLS, for that node's token.

    An Ignition file holds keys of the cluster, so anyone who can read it can take over the cluster. This server
    therefore uses TLS only, with a certificate for this run signed by the cluster's root-ca. Each node has its own
    random token. A second request gets 410. The server stops when every file was sent, or after --timeout.

    The first byte that is sent uses the token up. A client that breaks the transfer off keeps what it has read, so the
    file is not sent again until you ask for it: NODE --again makes a new token and a new pointer. The output shows how
    many bytes each client received.

    \b
    For each node it writes, readable by you alone:
      assets/deliver/NODE.ign   a pointer: URL with token, hash of the file, and the CA to trust
      assets/deliver/NODE.txt   the exact commands of three ways to use it

    The first way verifies everything: give the pointer to `coreos-installer iso customize --dest-ignition` (or pxe
    customize). The others are coreos-installer by hand with --ignition-url and --ignition-hash, and the kernel argument
    ignition.config.url.

    Why the token is in the URL: neither coreos-installer nor a kernel argument can send a header. After the
    delivery it is void. Why a CA is needed: for https, coreos-installer and Ignition require a valid certificate;
    --insecure-ignition is for http without a hash, which this server does not support.

    Deliveries are recorded in assets/deliver/state.json. Tokens and paths appear in no output.

    \b
    Examples:
      hardway deliver --all --prepare        before making ISO images
      hardway deliver bootstrap master-0     serve these two, and stop
      hardway deliver master-0 --again       its disk was replaced
    """
    from hardway.deliver import run
    from hardway.deliver.ledger import alone
    from hardway.deliver.server import listen
    from hardway.model.entropy import SystemEntropy
    from hardway.workspace.folder import open_workspace

    workspace, entropy = open_workspace(folder), SystemEntropy()
    place = run.choose_place(workspace.loaded.cluster.gateways, listen_on, port, name)
    renewed = _named(workspace, nodes, every) if again else ()
    delivery = run.plan(workspace, place, nodes, every, renewed, entropy)  # bad usage ends here: nothing is written yet
    say = _Rows(output, show if dry_run else tell)
    if dry_run:
        say.plan(delivery, "would serve")
        return
    serves = not prepare_only and delivery.left
    bound = listen(place.address, place.port) if serves else nullcontext()  # before anything is written
    with bound as listener, alone(workspace.store):
        # what another server delivered until now counts, so the ledger is read again
        delivery = run.plan(workspace, place, nodes, every, renewed, entropy)
        say.void(run.prepare(workspace, delivery))
        if listener is None or not delivery.left:
            say.plan(delivery, "prepared")
        else:
            say.plan(delivery, "serving")
            with busy(f"waiting for {', '.join(delivery.left)}"):
                run.serve(delivery, listener, entropy, minutes * 60, say.event)
            say.end(len(delivery.parcels) - len(delivery.left) - len(delivery.broken))
    if not prepare_only and (delivery.left or delivery.broken):
        raise ToolError(_missing(delivery))


def _missing(delivery: Delivery) -> str:
    states = delivery.ledger.receipts
    lines = [f"{node}: {states[node].state(node)}" for node in delivery.broken]
    fixes = [f"run `hardway deliver {' '.join(delivery.broken)} --again`"] * bool(lines)
    if delivery.left:
        lines.append(f"time is over, and not delivered: {', '.join(delivery.left)}")
        fixes.append(f"run `hardway deliver {' '.join(delivery.left)}`")
    return "\n".join(lines) + ".\n    fix: " + "; ".join(fixes)


def _named(workspace: Workspace, nodes: tuple[str, ...], every: bool) -> tuple[str, ...]:
    return tuple(node.name for node in workspace.loaded.cluster.nodes) if every else nodes


class _Rows:
    def __init__(self, output: str, say: Callable[[str], None]) -> None:
        self._json, self._say = output == "json", say

    def _line(self, what: str, row: dict[str, Any], text: str) -> None:
        click.echo(json.dumps({"event": what, **row})) if self._json else self._say(text)

    def plan(self, delivery: Delivery, what: str) -> None:
        place, proof = delivery.place, delivery.identity
        row = {"url": place.url, "certificate": proof.fingerprint, "authority": proof.authority_fingerprint}
        text = f"{what:12} {place.url}\ncertificate  {proof.fingerprint}\nsigned by    {proof.authority_fingerprint}"
        if what == "prepared":
            text += (
                "\nfiles        assets/deliver/NODE.ign, the pointer; assets/deliver/NODE.txt, the commands that use it"
            )
        self._line(what, row, text)
        for parcel in delivery.parcels:
            receipt = delivery.ledger.receipts.get(parcel.node)
            state = receipt.state(parcel.node) if receipt else "waits"
            self._line("node", {"node": parcel.node, "hash": parcel.hash, "state": state}, f"{parcel.node:12} {state}")

    def void(self, nodes: tuple[str, ...]) -> None:
        for node in nodes:
            warn(f"assets/deliver/{node}.ign", "the pointer has changed, so its media are void", "make its media again")

    def event(self, event: Event) -> None:
        text = f"{event.at}  {event.node:12} {event.peer:15} {event.what}"
        self._line("request", event.as_dict(), f"{text}: {event.detail}" if event.detail else text)

    def end(self, done: int) -> None:
        self._line("end", {"delivered": done}, f"{counted(done, 'node')} served")
