"""Stage 07: the cluster's configuration objects as operators would read them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from hardway.checks.files.artifacts import Artifacts
from hardway.checks.files.manifests.objects import CONFIG, OPERATOR, REBUILD, config_objects, expect
from hardway.checks.files.shapes import at, mappings, parse_yaml, text
from hardway.model.check import Flaw


def infrastructure(artifacts: Artifacts) -> Iterator[Flaw]:
    c = artifacts.cluster
    for path, document in config_objects(artifacts, "Infrastructure"):
        yield from expect(
            path,
            document,
            {
                ("status", "apiServerURL"): f"https://{c.api_host}:6443",
                ("status", "apiServerInternalURI"): f"https://{c.api_int_host}:6443",
                ("status", "controlPlaneTopology"): c.control_plane_topology,
                ("status", "infrastructureTopology"): c.infrastructure_topology,
                ("status", "platformStatus", "type"): "None",
                ("spec", "platformSpec", "type"): "None",
            },
        )


def domains(artifacts: Artifacts) -> Iterator[Flaw]:
    for path, document in config_objects(artifacts, "DNS"):
        yield from expect(path, document, {("spec", "baseDomain"): artifacts.cluster.domain})
    for path, document in config_objects(artifacts, "Ingress"):
        yield from expect(path, document, {("spec", "domain"): f"apps.{artifacts.cluster.domain}"})


def networks(artifacts: Artifacts) -> Iterator[Flaw]:
    wanted: dict[tuple[str, ...], Any] = {
        ("spec", "clusterNetwork"): [
            {"cidr": str(n.cidr), "hostPrefix": n.host_prefix} for n in artifacts.cluster.cluster_networks
        ],
        ("spec", "serviceNetwork"): [str(n) for n in artifacts.cluster.service_networks],
    }
    for path, document in (*config_objects(artifacts, "Network"), *artifacts.objects("Network", "cluster", OPERATOR)):
        yield from expect(path, document, wanted)


def scheduling(artifacts: Artifacts) -> Iterator[Flaw]:
    for path, document in config_objects(artifacts, "Scheduler"):
        wanted = artifacts.cluster.masters_schedulable
        found = expect(path, document, {("spec", "mastersSchedulable"): wanted})
        yield from (replace(flaw, failure="F54") for flaw in found) if wanted else found
    single = artifacts.cluster.control_plane_topology == "SingleReplica"
    for path, document in config_objects(artifacts, "Ingress"):
        yield from expect(path, document, {("status", "defaultPlacement"): "ControlPlane" if single else "Workers"})


def feature_gate(artifacts: Artifacts) -> Iterator[Flaw]:
    for path, document in config_objects(artifacts, "FeatureGate"):
        versions = [text(gate, "version") for gate in mappings(document, "status", "featureGates")]
        if artifacts.cluster.release.version not in versions:
            message = (
                f"status.featureGates has no entry for {artifacts.cluster.release.version}, only {versions or 'none'}"
            )
            yield Flaw(subject=path, message=message, fix=REBUILD)


def cluster_version(artifacts: Artifacts) -> Iterator[Flaw]:
    identity = artifacts.text("plan/cluster-id")
    for path, document in artifacts.objects("ClusterVersion", "version", CONFIG):
        if at(document, "spec", "desiredUpdate"):
            message = "desiredUpdate is set: on a first installation CVO reads the version from its own image"
            yield Flaw(subject=path, message=message, fix=REBUILD)
        if identity:
            yield from expect(path, document, {("spec", "clusterID"): identity})


def cluster_config(artifacts: Artifacts) -> Iterator[Flaw]:
    for path, document in artifacts.objects("ConfigMap", "cluster-config-v1"):
        config = parse_yaml(text(document, "data", "install-config").encode(errors="replace"))
        if not isinstance(at(config, "controlPlane", "replicas"), int) or not at(
            config, "networking", "machineNetwork"
        ):
            message = "install-config in it lacks controlPlane.replicas or networking.machineNetwork"
            yield Flaw(subject=path, message=message, fix=REBUILD)
        elif at(config, "pullSecret"):
            yield Flaw(
                subject=path,
                message="it contains the pull secret, which every reader of ConfigMaps could read",
                fix=REBUILD,
            )
