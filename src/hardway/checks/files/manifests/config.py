"""Stage 07: the cluster's configuration objects as operators would read them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hardway.checks.engine import Flaw, World
from hardway.checks.files.manifests.objects import CONFIG, OPERATOR, REBUILD, config_objects, expect
from hardway.checks.files.shapes import at, mappings, parse_yaml, text


def infrastructure(world: World) -> Iterator[Flaw]:
    c = world.cluster
    for path, document in config_objects(world, "Infrastructure"):
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


def domains(world: World) -> Iterator[Flaw]:
    for path, document in config_objects(world, "DNS"):
        yield from expect(path, document, {("spec", "baseDomain"): world.cluster.domain})
    for path, document in config_objects(world, "Ingress"):
        yield from expect(path, document, {("spec", "domain"): f"apps.{world.cluster.domain}"})


def networks(world: World) -> Iterator[Flaw]:
    wanted: dict[tuple[str, ...], Any] = {
        ("spec", "clusterNetwork"): [
            {"cidr": str(n.cidr), "hostPrefix": n.host_prefix} for n in world.cluster.cluster_networks
        ],
        ("spec", "serviceNetwork"): [str(n) for n in world.cluster.service_networks],
    }
    for path, document in (*config_objects(world, "Network"), *world.objects("Network", "cluster", OPERATOR)):
        yield from expect(path, document, wanted)


def scheduling(world: World) -> Iterator[Flaw]:
    for path, document in config_objects(world, "Scheduler"):
        yield from expect(path, document, {("spec", "mastersSchedulable"): world.cluster.masters_schedulable})
    single = world.cluster.control_plane_topology == "SingleReplica"
    for path, document in config_objects(world, "Ingress"):
        yield from expect(path, document, {("status", "defaultPlacement"): "ControlPlane" if single else "Workers"})


def feature_gate(world: World) -> Iterator[Flaw]:
    for path, document in config_objects(world, "FeatureGate"):
        versions = [text(gate, "version") for gate in mappings(document, "status", "featureGates")]
        if world.cluster.release.version not in versions:
            message = f"status.featureGates has no entry for {world.cluster.release.version}, only {versions or 'none'}"
            yield Flaw(subject=path, message=message, fix=REBUILD)


def cluster_version(world: World) -> Iterator[Flaw]:
    identity = world.text("plan/cluster-id")
    for path, document in world.objects("ClusterVersion", "version", CONFIG):
        if at(document, "spec", "desiredUpdate"):
            message = "desiredUpdate is set: on a first installation CVO reads the version from its own image"
            yield Flaw(subject=path, message=message, fix=REBUILD)
        if identity:
            yield from expect(path, document, {("spec", "clusterID"): identity})


def cluster_config(world: World) -> Iterator[Flaw]:
    for path, document in world.objects("ConfigMap", "cluster-config-v1"):
        config = parse_yaml(text(document, "data", "install-config").encode(errors="replace"))
        if not isinstance(at(config, "controlPlane", "replicas"), int) or not at(
            config, "networking", "machineNetwork"
        ):
            message = "install-config in it lacks controlPlane.replicas or networking.machineNetwork"
            yield Flaw(subject=path, message=message, fix=REBUILD)
        elif at(config, "pullSecret"):
            yield Flaw(subject=path, message="it carries the pull secret, for every reader of ConfigMaps", fix=REBUILD)
