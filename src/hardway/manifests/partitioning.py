"""CPU partitioning on all nodes: the MachineConfigs that the node-tuning operator's render makes for it."""

from __future__ import annotations

from functools import partial
from typing import Any

from hardway.emit import ignition
from hardway.emit.document import Document
from hardway.graph.asset import Given
from hardway.lines.sources import source
from hardway.manifests.machines import REASONS, ROLES, machine_config
from hardway.manifests.shapes import CONFIG
from hardway.model.cluster import Cluster
from hardway.model.why import because

SOURCE = source("cluster-node-tuning-operator", "pkg/performanceprofile/cmd/render/render.go")
READABLE = 0o644
KUBELET = ("/etc/kubernetes/openshift-workload-pinning", '\n{\n  "management": {\n    "cpuset": ""\n  }\n}\n')
CRIO = (
    "/etc/crio/crio.conf.d/01-workload-pinning-default.conf",
    "\n[crio.runtime.workloads.management]\n"
    'activation_annotation = "target.workload.openshift.io/management"\n'
    'annotation_prefix = "resources.workload.openshift.io"\n'
    'resources = { "cpushares" = 0, "cpuset" = "" }\n',
)
"""Byte for byte as the operator writes them: a node's files are compared with the cluster's own render."""


def documents(cluster: Cluster) -> tuple[Document, ...]:
    return tuple(_document(role) for role in ROLES) if cluster.cpu_partitioning == "AllNodes" else ()


def _pinning(role: str, given: Given) -> dict[str, Any]:
    files = [_file(path, content) for path, content in (KUBELET, CRIO)]
    name = f"01-{role}-cpu-partitioning"
    return machine_config(given.cluster, role, name, config={"storage": {"files": files}})


def _file(path: str, content: str) -> dict[str, Any]:
    entry = ignition.file(path, content.encode(), READABLE)
    return {key: entry[key] for key in ("contents", "mode", "path")}


def _document(role: str) -> Document:
    file = f"01_01-{role}-cpu-partitioning_workload_pinning_machineconfig.yaml"
    return Document(
        path=f"manifests/{file}",
        body=partial(_pinning, role),
        common=CONFIG,
        reasons=REASONS
        | {
            "spec.config.storage.files[].path": because(
                "Where the kubelet, and CRI-O, look for the management workload's set of CPUs."
            ),
            "spec.config.storage.files[].mode": because("0644: the file holds no secret."),
            "spec.config.storage.files[].contents.source": because(
                "An empty set: management pods are recognized, and a PerformanceProfile gives them CPUs later."
            ),
        },
        why=because(
            f"CPU partitioning on every {role}, as install-config asks with cpuPartitioningMode: AllNodes.",
            readers="machine-config-controller; on the machine the kubelet and CRI-O; the node-tuning operator, which "
            "expects it to exist",
            breaks="kubelets do not recognize management pods, and a node joins that was never partitioned; the mode "
            "cannot be changed after the installation",
            source=SOURCE,
        ),
    )
