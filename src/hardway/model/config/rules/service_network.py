"""The Services' network: its number and its size."""

from __future__ import annotations

from collections.abc import Iterator

from hardway.model.config.draft import Draft
from hardway.model.config.rules.rule import Flaw, Rule, error, warn

_PATH = "networking.serviceNetwork"


def _count(draft: Draft) -> Iterator[Flaw]:
    networks, families = draft.service_networks, draft.families
    if len(networks) > len(families):
        wanted = "one network of each family" if len(families) == 2 else "one network"
        yield error(_PATH, f"has {len(networks)} networks; kube-apiserver takes {wanted}", "remove the others")


def _size(draft: Draft) -> Iterator[Flaw]:
    for index, cidr in enumerate(draft.service_networks):
        path, network = f"{_PATH}[{index}]", cidr.network
        shortest, usual = (12, 16) if network.version == 4 else (108, 112)
        if network.prefixlen < shortest:
            message = f"{network} is larger than kube-apiserver supports: /{shortest} is the most"
            yield error(path, message, f"use a /{usual}")
        elif network.num_addresses < 2:
            message = f"{network} has one address, and the API's own Service needs the second"
            yield error(path, message, f"use a /{usual}")
        elif network.num_addresses < 8:
            count = network.num_addresses
            message = f"{network} has {count} addresses; kube-apiserver will not start with fewer than 8"
            yield warn(path, message, f"use a /{usual}")
        elif network.num_addresses <= 10:
            message = f"{network} has no tenth address, which every kubelet uses as the cluster's DNS"
            yield warn(path, message, f"use a /{usual}")
        elif network.num_addresses < 256:
            message = f"{network} has {network.num_addresses} addresses, and the operators alone may need more"
            yield warn(path, message, f"use a /{usual}")


RULES = (Rule("network.service-count", (_PATH,), _count), Rule("network.service-size", (_PATH,), _size))
