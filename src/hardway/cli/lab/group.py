"""hardway lab: a cluster of booted nodes on this machine, and the release that it runs."""

from __future__ import annotations

import click

from hardway.cli.lazy import LazyGroup

COMMANDS = {
    "up": "hardway.cli.lab.up:up",
    "status": "hardway.cli.lab.status:status",
    "run": "hardway.cli.lab.run:run",
    "exec": "hardway.cli.lab.node:exec_",
    "shell": "hardway.cli.lab.node:shell",
    "logs": "hardway.cli.lab.node:logs",
    "kubectl": "hardway.cli.lab.node:kubectl",
    "stop": "hardway.cli.lab.node:stop",
    "start": "hardway.cli.lab.node:start",
    "down": "hardway.cli.lab.down:down",
    "release": "hardway.cli.lab.release:release",
}


@click.command(cls=LazyGroup, table=COMMANDS)
def lab() -> None:
    """A cluster of booted nodes on this machine, without virtual machines and without a pull secret.

    Nodes are machines that systemd boots from their own Ignition files: with CRI-O, OpenShift's kubelet and control
    plane, behind HAProxy and dnsmasq. It takes root and one Linux machine.

    \b
    hardway lab up demo                  all of it, in the folder demo, three masters and two workers
    cd demo
    hardway lab status                   nodes, members, milestones
    hardway lab kubectl get nodes        as the administrator
    hardway lab shell master-0           look inside
    hardway lab run 11                   one stage for itself, with its why and its verification
    hardway lab down                     remove it all
    hardway lab release build            the release that its nodes run, from pinned Go modules
    """
