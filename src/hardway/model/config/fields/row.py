"""The short spelling of a row of install-config.yaml."""

from __future__ import annotations

from typing import Any

from hardway.lines.sources import source
from hardway.model.config.table import FieldRow, Kind
from hardway.model.why import because

INSTALLER = source("installer", "pkg/types")
OTHER_PLATFORMS = (
    "aws",
    "azure",
    "baremetal",
    "external",
    "gcp",
    "ibmcloud",
    "nutanix",
    "openstack",
    "ovirt",
    "powervs",
    "vsphere",
)


def row(
    path: str, kind: Kind, what: str, *, readers: str, breaks: str, source: str = INSTALLER, **rest: Any
) -> FieldRow:
    why = because(what, readers=readers, breaks=breaks, source=source)
    return FieldRow(file="install-config.yaml", path=path, kind=kind, why=why, **rest)
