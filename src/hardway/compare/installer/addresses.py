"""The addresses that a cluster plans for itself: ours puts some of them into certificates, the installer does not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hardway.emit import goyaml
from hardway.model.config.load import Inputs, load
from hardway.model.errors import ConfigError
from hardway.release.catalogue import release_for


@dataclass(frozen=True, slots=True, kw_only=True)
class Addresses:
    api: frozenset[str] = frozenset()
    control_plane: frozenset[str] = frozenset()  # of the bootstrap machine and of every master


def addresses(install_config: Mapping[str, Any]) -> Addresses:
    """None at all if no cluster can be made of it: then nothing is explained by them."""
    try:
        cluster = load(Inputs(install_config=goyaml.dump(install_config)), release_for).cluster
    except ConfigError:
        return Addresses()
    nodes = (cluster.bootstrap, *cluster.masters)
    return Addresses(
        api=frozenset(cluster.api_vips), control_plane=frozenset(a for node in nodes for a in node.addresses)
    )
