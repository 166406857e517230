"""hardway lab: a cluster of booted nodes on this machine, and the release that it runs."""

from __future__ import annotations

import click

from hardway.cli.lazy import LazyGroup, Place

SECTIONS = {
    "The cluster": {
        "up": Place("hardway.cli.lab.up:up", "Bring the cluster up, or continue"),
        "run": Place("hardway.cli.lab.run:run", "Run one stage, with its purpose and its checks"),
        "status": Place("hardway.cli.lab.status:status", "Nodes, etcd members, milestones, availability"),
        "kubectl": Place("hardway.cli.lab.node:kubectl", "kubectl as the administrator"),
        "conformance": Place("hardway.cli.lab.conformance:conformance", "Run Kubernetes' own conformance tests"),
        "down": Place("hardway.cli.lab.down:down", "Remove everything that the lab made"),
    },
    "Its nodes": {
        "exec": Place("hardway.cli.lab.node:exec_", "Run a command on a node"),
        "shell": Place("hardway.cli.lab.node:shell", "Open a shell on a node"),
        "logs": Place("hardway.cli.lab.node:logs", "Logs of a node, a unit or a service"),
        "stop": Place("hardway.cli.lab.node:stop", "Switch a node off"),
        "start": Place("hardway.cli.lab.node:start", "Switch a node on, or all of them"),
    },
    "Its release": {
        "replace": Place("hardway.cli.lab.replace:replace", "Put a component from your checkout into the lab"),
        "release": Place("hardway.cli.lab.release:release", "Build, list or remove the lab's release"),
    },
}


@click.command(cls=LazyGroup, sections=SECTIONS)
def lab() -> None:
    """A cluster of booted nodes on this machine, without virtual machines and without a pull secret.

    Nodes are machines that systemd boots from their own Ignition files: with CRI-O, OpenShift's kubelet and control
    plane, behind HAProxy and dnsmasq. It needs root and one Linux machine.

    \b
    hardway lab up demo                  all of it, in the folder demo, three masters and two workers
    cd demo
    hardway lab status                   nodes, members, milestones
    hardway lab kubectl get nodes        as the administrator
    hardway lab shell master-0           look inside
    hardway lab run 11                   one stage alone, with its purpose and its checks
    hardway lab down                     remove everything
    hardway lab release build            the release that its nodes run, from pinned Go modules
    hardway lab replace NAME=DIR         a component of it, from your own checkout
    """
