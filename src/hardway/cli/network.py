"""hardway network: configuration for your own load balancer and name server, and a test of both."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from hardway.cli.lab.place import choose
from hardway.cli.options import complete_node, counted, ignore_option, output_option, print_json
from hardway.cli.report import print_checks, print_report
from hardway.cli.terminal.text import show, tell
from hardway.cli.terminal.work import busy
from hardway.model.errors import CheckError
from hardway.network.haproxy.config import SOCKET

if TYPE_CHECKING:
    from hardway.checks.network.target import Expect
    from hardway.model.check import Report
    from hardway.model.cluster import Cluster
    from hardway.network.dns.client import Server

WOULD = {"wrote": "would write", "changed": "would change", "kept": "kept", "saved": "would save"}
socket_option = click.option(
    "--socket", default=SOCKET, show_default=True, metavar="PATH", help="HAProxy's admin socket."
)
dry_run_option = click.option("--dry-run", is_flag=True, help="Say what would change, and change nothing.")


@click.group()
def network() -> None:
    """Load balancer and DNS on your own machines: their configuration, and a test that finds what is wrong.

    \b
      hardway network files        haproxy.cfg, dnsmasq.conf, BIND zones, /etc/hosts lines, into ./network
      hardway network check        probe DNS and the load balancer as the nodes will, or check your files
      hardway network servers      which servers are up behind HAProxy
      hardway network take-out bootstrap
    """


def _cluster(folder: Path) -> Cluster:
    from hardway.workspace.folder import open_workspace

    return open_workspace(folder).loaded.cluster


@network.command(short_help="Write the files of load balancer and name server")
@click.option(
    "--to",
    "target",
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder to write to. [default: ./network]",
)
@click.option("--without-bootstrap", is_flag=True, help="Leave the bootstrap node out: for after the pivot.")
@socket_option
@dry_run_option
@output_option
@click.pass_obj
def files(folder: Path, target: Path | None, without_bootstrap: bool, socket: str, dry_run: bool, output: str) -> None:
    """Write the configuration of load balancer and name server into a folder (--to).

    All of it comes from one table of ports and one of names, so HAProxy, dnsmasq, BIND and /etc/hosts agree. Take
    what fits your machines: dnsmasq or BIND, not both. Every value has its reason beside it. A file that is up to date
    is kept, one that you changed by hand is saved in the folder's edited/ before it is made again, and a file that
    hardway did not make is never overwritten.
    """
    from hardway.io import links
    from hardway.network import files as made

    if target is None:
        links.refuse(folder / made.FOLDER)
    cluster = _cluster(folder)
    without = (cluster.bootstrap.name,) if without_bootstrap else ()
    texts = made.texts(cluster, socket=socket, without=without)
    done = made.write(target or folder / made.FOLDER, texts, dry_run=dry_run)
    if output == "json":
        print_json([{"file": str(path), "done": word, "dryRun": dry_run} for path, word in done.items()])
        return
    say = show if dry_run else tell
    for path, word in done.items():
        why = ": it had been changed by hand" if word == "saved" else ""
        say(f"{WOULD[word] if dry_run else word:13}{path}{why}")


def _servers(cluster: Cluster, given: tuple[str, ...]) -> list[Server]:
    from hardway.network.dns.client import parse_server, system_servers

    if given == ("system",):
        return system_servers()
    return [parse_server(text) for text in given or cluster.dns_servers]


@network.command(short_help="Probe DNS and the load balancer, or check your files")
@click.option(
    "--dns",
    multiple=True,
    metavar="ADDRESS[:PORT]",
    help="The name server to ask, or `system` for this machine's own. [default: those that the plan gives the nodes]",
)
@click.option(
    "--expect",
    type=click.Choice(["balancer", "api", "cluster"]),
    default="balancer",
    help="What must answer: the load balancer alone (before the first boot), the API (after bootstrap), or "
    "everything behind it. [default: balancer]",
)
@click.option("--haproxy", multiple=True, metavar="FILE", help="Check this haproxy.cfg, and send no probe.")
@click.option("--dnsmasq", multiple=True, metavar="FILE", help="Check this dnsmasq.conf, and send no probe.")
@click.option("--zone", "zones", multiple=True, metavar="[NAME=]FILE", help="Check this BIND zone, and send no probe.")
@click.option("--list", "list_probes", is_flag=True, help="List the probes instead of running them.")
@ignore_option
@output_option
@click.pass_obj
def check(
    folder: Path,
    dns: tuple[str, ...],
    expect: str,
    haproxy: tuple[str, ...],
    dnsmasq: tuple[str, ...],
    zones: tuple[str, ...],
    list_probes: bool,
    ignore: frozenset[str],
    output: str,
) -> None:
    """Send the probes of the nodes to DNS and the load balancer, and report which record or port is wrong.

    Run it on a machine in the nodes' network: names and firewalls differ elsewhere. It looks up every record of the
    plan on every name server, forward and reverse; two random names show whether *.apps is a real wildcard and
    whether a catch-all is above it. It tries every port on every virtual address, and asks each mirror of
    install-config.yaml for its certificate. Each defect has its failure id, its effect on a node, and its fix.
    Nothing is changed. Exit code 4 if there is an error.

    Before anything runs, your own files can be checked instead, by the same rules. Zones belong together: give the
    zone of the names and the reverse zone in one command.

    \b
    Examples:
      hardway network check
      hardway network check --haproxy /etc/haproxy/haproxy.cfg
      hardway network check --dnsmasq /etc/dnsmasq.d/cluster.conf
      hardway network check --zone db.ocp4.example.com --zone db.reverse
    """
    from hardway.checks.network import files as files_check
    from hardway.checks.network.dns import TABLE as DNS
    from hardway.checks.network.haproxy.table import TABLE as HAPROXY
    from hardway.checks.network.mirrors import TABLE as MIRRORS
    from hardway.checks.network.mirrors import examine
    from hardway.checks.network.ports import TABLE as PORTS
    from hardway.checks.network.target import Target
    from hardway.model.check import Report, run
    from hardway.model.entropy import SystemEntropy

    if list_probes:
        print_checks((*DNS, *PORTS, *HAPROXY, *MIRRORS), output)
        return
    cluster, entropy, when = _cluster(folder), SystemEntropy(), cast("Expect", expect)
    if haproxy or dnsmasq or zones:
        report = files_check.judge(cluster, entropy, when, haproxy=haproxy, dnsmasq=dnsmasq, zones=zones)
        _print(report.ignoring(ignore), [], output)
        return
    target = Target(cluster=cluster, servers=_servers(cluster, dns), entropy=entropy, expect=when)
    with busy("asking name servers and trying ports"):
        report = Report.merge([run((*DNS, *PORTS), target), examine(cluster)])
    _print(report.ignoring(ignore), [seen.as_dict() for seen in target.seen], output)


def _print(report: Report, states: list[dict[str, str | int]], output: str) -> None:
    if output == "json":
        findings = [f.as_dict() | {"effect": f.breaks} for f in report.findings]
        print_json(report.as_dict() | {"ports": states, "findings": findings})
    else:
        for state in states:
            tell(f"{state['frontend']:15} {state['address']} port {state['port']}: {state['state']}")
        print_report(report, noun="probe", effects=True)
    if not report.ok:
        raise CheckError(f"the network is not as planned: {counted(len(report.errors), 'error')}")


@network.command(short_help="Servers behind a running HAProxy")
@socket_option
@output_option
def servers(socket: str, output: str) -> None:
    """Servers behind a running HAProxy: their state and number of connections."""
    from hardway.network.haproxy.runtime import servers as running

    rows = running(Path(socket))
    if output == "json":
        print_json([row.as_dict() for row in rows])
        return
    for row in rows:
        show(f"{row.backend:15} {row.name:24} {row.status:8} {counted(row.connections, 'connection')}")


@network.command("take-out", short_help="Take a node out of a running HAProxy")
@click.argument("node", shell_complete=complete_node)
@socket_option
@dry_run_option
@output_option
@click.pass_obj
def take_out(folder: Path, node: str, socket: str, dry_run: bool, output: str) -> None:
    """Take a node out of a running HAProxy: it gets no new connections, and keeps those it has.

    This is how the bootstrap node leaves. It lasts until HAProxy restarts, so write the configuration again as
    well: `hardway network files --without-bootstrap`. To bring a node back, restart HAProxy.
    """
    from hardway.network.haproxy.runtime import take_out as remove
    from hardway.workspace.names import INSTALL_CONFIG

    if not Path(socket).exists() and (folder / INSTALL_CONFIG).exists():  # a running HAProxy knows its servers itself
        choose([n.name for n in _cluster(folder).nodes], node, "the plan")
    changed = remove(Path(socket), node, dry_run=dry_run)
    if output == "json":
        print_json([row.as_dict() for row in changed])
        return
    say = show if dry_run else tell
    for row in changed:
        say(f"{'would take' if dry_run else 'took'} {row.name} out of {row.backend}")
    if not changed:
        say(f"{node} is out already")
