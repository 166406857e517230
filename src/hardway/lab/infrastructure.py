"""What nodes stand on, as a witness: the lab's name server and load balancer, asked, and HAProxy's own file."""

from __future__ import annotations

from hardway.checks.network.dns import TABLE as DNS
from hardway.checks.network.haproxy import table as haproxy
from hardway.checks.network.ports import TABLE as PORTS
from hardway.checks.network.target import Expect, Target
from hardway.io import plain
from hardway.lab.prepared import Prepared
from hardway.model.check import Report, run
from hardway.model.entropy import SystemEntropy
from hardway.network.dns.client import parse_server
from hardway.network.haproxy.config import NAME

EXPECTED: Expect = "api"
"""Behind the load balancer: the lab's release has no routers, and a machine-config server only in the end."""


def examine(prepared: Prepared) -> Report:
    cluster = prepared.cluster
    servers = [parse_server(address) for address in cluster.dns_servers]
    target = Target(cluster=cluster, servers=servers, entropy=SystemEntropy(), expect=EXPECTED)
    return Report.merge([run((*DNS, *PORTS), target), _balancer(prepared)])


def _balancer(prepared: Prepared) -> Report:
    """The bootstrap node stays in the file: it is taken out of service at run time."""
    file = prepared.paths.services / NAME
    return haproxy.check(NAME, plain.text(file, plain.given, "replace"), prepared.cluster, EXPECTED)
