"""Lines for /etc/hosts from the table of records: for a workstation, not for the nodes."""

from __future__ import annotations

from hardway.model.cluster import Cluster
from hardway.network.dns.records import by_addresses
from hardway.network.mark import comment, mark

NAME = "etc-hosts"
ROUTES = (
    "console-openshift-console",
    "oauth-openshift",
    "downloads-openshift-console",
    "canary-openshift-ingress-canary",
    "thanos-querier-openshift-monitoring",
    "prometheus-k8s-openshift-monitoring",
    "alertmanager-main-openshift-monitoring",
)
"""What a new cluster has below apps."""


def lines(cluster: Cluster) -> str:
    text = [mark(cluster, NAME)]
    text += comment(
        "For a workstation that cannot ask the cluster's name server: add these lines to its /etc/hosts. The nodes "
        "need a real name server: pods do not read this file, and it has no reverse zone and no services."
    )
    for addresses, group in by_addresses(cluster).items():
        text += [f"{address} {' '.join(h.name for h in group)}" for address in addresses]
    text += comment(
        "This file cannot have a wildcard for *.apps. These are the routes of a new cluster; add a line for each "
        "route of your own."
    )
    names = " ".join(f"{route}.apps.{cluster.domain}" for route in ROUTES)
    return "\n".join([*text, *(f"{address} {names}" for address in cluster.ingress_vips)]) + "\n"
