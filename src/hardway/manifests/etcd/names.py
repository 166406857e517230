"""What the documents about etcd share."""

from __future__ import annotations

from hardway.lines.sources import source

NAMESPACE = "openshift-etcd"
SIGNERS = ("etcd-signer", "etcd-metric-signer")
BUNDLES = ("etcd-ca-bundle", "etcd-metrics-ca-bundle")
OPERATOR = "the etcd operator"
SOURCE = source("cluster-etcd-operator", "pkg/cmd/render, bindata/bootkube")
SIGNER_SOURCE = source("cluster-etcd-operator", "pkg/operator/etcdcertsigner, pkg/operator/resourcesynccontroller")
