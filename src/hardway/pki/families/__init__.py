"""THE TABLE, family by family: one row a certificate. To add a certificate is to add a row to its family."""

from __future__ import annotations

from hardway.model.cluster import Cluster
from hardway.pki.families.admin import ADMIN
from hardway.pki.families.apiserver import APISERVER
from hardway.pki.families.components import COMPONENTS
from hardway.pki.families.etcd import ETCD
from hardway.pki.families.front_proxy import FRONT_PROXY
from hardway.pki.families.root import ROOT
from hardway.pki.row import Cert

TABLE: tuple[Cert, ...] = (*ROOT, *ADMIN, *FRONT_PROXY, *APISERVER, *COMPONENTS, *ETCD)


def rows(cluster: Cluster) -> tuple[Cert, ...]:
    """Those that the cluster has."""
    return tuple(row for row in TABLE if row.when(cluster))
