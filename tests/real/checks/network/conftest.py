"""A cluster, and a network of its own with all addresses of its plan."""

from __future__ import annotations

import pytest

from tests.support.netns import network
from tests.support.trees import built_now


@pytest.fixture(scope="module")
def workspace():
    return built_now("default", "ecdsa-p256")


@pytest.fixture(scope="module")
def cluster(workspace):
    return workspace.loaded.cluster


@pytest.fixture
def net(cluster):
    addresses = [*cluster.api_vips, *cluster.ingress_vips, *cluster.dns_servers]
    with network([*addresses, *(a for n in cluster.nodes for a in n.addresses)]) as name:
        yield name
