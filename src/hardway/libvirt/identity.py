"""The cluster's mark on everything it has in libvirt. What carries it is the cluster's; nothing else is touched."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID, uuid5
from xml.etree.ElementTree import Element, SubElement, register_namespace

from hardway.io import links
from hardway.model.cluster import Cluster, Node
from hardway.model.errors import ConfigError

MARK = "urn:hardway:cluster:1"
_INFRA_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")  # it is a part of paths, units and names of interfaces
DNSMASQ = "http://libvirt.org/schemas/network/dnsmasq/1.0"
register_namespace("hardway", MARK)
register_namespace("dnsmasq", DNSMASQ)


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """Names and UUIDs follow from the two identifiers of stage 03, so they are the same in every run."""

    cluster: str
    cluster_id: str
    infra_id: str

    @property
    def bridge(self) -> str:
        """An interface name has 15 characters at most; the random end of the infrastructure name is enough."""
        return f"hw-{self.infra_id.rpartition('-')[2]}"

    def uuid(self, what: str) -> str:
        return str(uuid5(UUID(self.cluster_id), f"hardway/{what}"))

    def machine(self, node: Node) -> str:
        return f"{self.infra_id}-{node.name}"


def read_identity(assets: Path, cluster: Cluster) -> Identity:
    try:
        found = [_text(assets, f"plan/{name}") for name in ("cluster-id", "infra-id")]
        identity = Identity(cluster=cluster.domain, cluster_id=str(UUID(found[0])), infra_id=found[1])
    except FileNotFoundError as error:
        raise ConfigError(
            f"{error.filename}: there is no such file, and without it nothing can be marked as this cluster's.\n"
            "    fix: make it with `hardway build 03`"
        ) from None
    except ValueError:
        raise ConfigError(
            f"{assets / 'plan' / 'cluster-id'}: is not a UUID.\n    fix: put back the file that `hardway build 03` made"
        ) from None
    if not _INFRA_ID.fullmatch(identity.infra_id):
        raise ConfigError(
            f"{assets / 'plan' / 'infra-id'}: is not a name of lower-case letters, digits and hyphens.\n"
            "    fix: put back the file that `hardway build 03` made"
        )
    return identity


def _text(assets: Path, path: str) -> str:
    return links.read(assets / path, below=assets).decode().strip()


def mark(parent: Element, identity: Identity, **more: str) -> Element:
    """Put the mark into an object's metadata, which libvirt keeps and does not read."""
    values = {"name": identity.cluster, "id": identity.cluster_id, "infra": identity.infra_id, **more}
    return SubElement(SubElement(parent, "metadata"), f"{{{MARK}}}cluster", values)


def marked(root: Element, identity: Identity) -> Element | None:
    """The mark, if the object carries this cluster's."""
    found = root.find(f"metadata/{{{MARK}}}cluster")
    return found if found is not None and found.get("id") == identity.cluster_id else None
