"""IPv4, IPv6, or both."""

from __future__ import annotations

from collections.abc import Iterator

from hardway.model.config.addresses import Interface
from hardway.model.config.draft import Draft
from hardway.model.config.rules.networks import LISTS
from hardway.model.config.rules.rule import Flaw, Rule, error, warn


def _lists(draft: Draft) -> tuple[tuple[str, tuple[Interface, ...]], ...]:
    pods = tuple(network.cidr for network in draft.cluster_networks)
    return tuple(zip(LISTS, (draft.machine_networks, draft.service_networks, pods), strict=True))


def _dual(draft: Draft) -> Iterator[Flaw]:
    if len(draft.families) < 2:
        return
    for path, networks in _lists(draft):
        versions = [network.version for network in networks]
        for version in {4, 6}.difference(versions):
            message = f"has no IPv{version} network, but the service networks make the cluster dual-stack"
            yield error(path, message, f"add an IPv{version} network, IPv4 first")
        if versions[0] == 6 and 4 in versions:
            yield error(path, "must list IPv4 before IPv6 on platform none", "put the IPv4 network first")


def _single(draft: Draft) -> Iterator[Flaw]:
    if len(draft.families) != 1:
        return
    version = draft.families[0]
    for path, networks in _lists(draft):
        versions = {network.version for network in networks}
        if version not in versions:
            message = f"has no IPv{version} network, but the services are IPv{version}: nothing could talk to them"
            yield error(path, message, f"give it an IPv{version} network, or the services one of the other family")
        elif len(versions) > 1 and path == "networking.clusterNetwork":
            message = f"has two families and the services are IPv{version} only: the network operator refuses that"
            yield warn(path, message, "give all three lists the same families")


RULES = (Rule("network.dual-stack", LISTS, _dual), Rule("network.family", LISTS, _single))
