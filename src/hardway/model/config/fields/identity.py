"""Who the cluster is, and which platform it stands on."""

from __future__ import annotations

from hardway.lines.sources import source
from hardway.model.config.fields.row import OTHER_PLATFORMS, row
from hardway.model.config.table import Kind

_UNUSED: tuple[tuple[str, Kind], ...] = (
    ("generateName", "text"),
    ("namespace", "text"),
    ("selfLink", "text"),
    ("uid", "text"),
    ("resourceVersion", "text"),
    ("generation", "int64"),
    ("deletionGracePeriodSeconds", "int64"),
    ("creationTimestamp", "exact text"),
    ("deletionTimestamp", "exact text"),
    ("ownerReferences", "any"),
    ("finalizers", "any"),
    ("managedFields", "any"),
)
_META = "k8s.io/apimachinery pkg/apis/meta/v1 ObjectMeta"

ROWS = (
    row(
        "apiVersion",
        "exact text",
        "the version of this file's format: v1 (v1beta3 and v1beta4 are still converted)",
        readers="the reader of this file, before it looks at anything else",
        breaks="if it is left out, the version of the fields is unknown, and the file is refused",
        source=source("installer", "pkg/types/conversion"),
        required=True,
    ),
    row(
        "kind",
        "exact text",
        "the type name that Kubernetes objects have; it has no effect here",
        readers="nobody; it is copied into the cluster-config-v1 ConfigMap",
        breaks="no effect: leave it out",
    ),
    row(
        "metadata",
        "mapping",
        "the object header; only its name matters",
        readers="everything that builds the cluster's domain",
        breaks="a cluster without a name has no domain, no certificates and no kubeconfig",
        required=True,
    ),
    row(
        "metadata.name",
        "text",
        "the cluster's name, the first part of its domain name.baseDomain",
        readers="every certificate, kubeconfig, DNS record and URL; the infrastructure ID starts with it",
        breaks="it cannot be changed later: names in certificates and DNS would no longer agree",
        source=source("installer", "pkg/validate ClusterName"),
        required=True,
    ),
    *(
        row(
            f"metadata.{name}",
            "texts by name",
            f"free {name} on this file",
            readers="nobody; they are copied into the cluster-config-v1 ConfigMap",
            breaks="no effect",
            source=_META,
        )
        for name in ("labels", "annotations")
    ),
    *(
        row(
            f"metadata.{name}",
            kind,
            f"the {name} that every Kubernetes object header may have",
            readers="nobody: this file never becomes an object of the API",
            breaks="no effect: leave it out",
            source=_META,
        )
        for name, kind in _UNUSED
    ),
    row(
        "baseDomain",
        "text",
        "the DNS domain that the cluster's own domain is a child of",
        readers="DNS records, server certificates, the ingress domain apps.name.baseDomain, the DNS cluster config",
        breaks="api and api-int do not resolve, and no node joins",
        source=source("installer", "pkg/validate DomainName"),
        required=True,
    ),
    row(
        "platform",
        "mapping",
        "the platform of the machines; this tool supports `none`: machines, DNS and load balancer are yours",
        readers="Infrastructure status.platform, and through it every operator that would talk to a cloud",
        breaks="operators would wait for a cloud that does not exist",
        required=True,
    ),
    row(
        "platform.none",
        "mapping",
        "no cloud at all: an empty mapping is the whole configuration",
        readers="Infrastructure, cloud provider config, machine-api (which then makes no machines)",
        breaks="if it is left out, there is no platform and the file is refused",
    ),
    *(
        row(
            f"platform.{name}",
            "any",
            f"the settings of platform {name}, which this tool does not support",
            readers="the installer's code for that platform only",
            breaks="the file is refused: that platform brings its own machines, DNS and load balancer",
        )
        for name in OTHER_PLATFORMS
    ),
)
