"""Which features are on: the FeatureGate, with the status that its readers wait for."""

from __future__ import annotations

from typing import Any

from hardway.emit.document import Document
from hardway.graph.asset import Given
from hardway.lines.sources import source
from hardway.manifests.shapes import CONFIG, MANIFESTS
from hardway.model.cluster import PROFILE, Cluster
from hardway.model.why import because

CUSTOM = "CustomNoUpgrade"
TRUE = ("1", "t", "T", "true", "True", "TRUE")


def custom_gates(gates: tuple[str, ...]) -> dict[str, list[str]]:
    """`Name=true` and `Name=false` as two lists, in the order given; a list that is empty is left out."""
    said: dict[str, list[str]] = {"enabled": [], "disabled": []}
    for name, _, value in (gate.partition("=") for gate in gates):
        said["enabled" if value in TRUE else "disabled"].append(name)
    return {key: names for key, names in said.items() if names}


def resolved(cluster: Cluster) -> tuple[list[str], list[str]]:
    """Every gate the release knows, on or off: those of the feature set, with the custom ones laid over them."""
    enabled, disabled = (set(names) for names in cluster.release.gates_of(cluster.feature_set))
    custom = custom_gates(cluster.feature_gates) if cluster.feature_set == CUSTOM else {}
    on, off = set(custom.get("enabled", ())), set(custom.get("disabled", ()))
    return sorted((enabled - off) | on), sorted((disabled - on) | off)


def _body(given: Given) -> dict[str, Any]:
    cluster = given.cluster
    spec: dict[str, Any] = {}
    if cluster.feature_set == CUSTOM and (custom := custom_gates(cluster.feature_gates)):
        spec["customNoUpgrade"] = custom
    if cluster.feature_set:
        spec["featureSet"] = cluster.feature_set
    metadata: dict[str, Any] = {"creationTimestamp": None, "name": "cluster"}
    if cluster.feature_set != CUSTOM:
        metadata["annotations"] = {PROFILE: "true"}
    enabled, disabled = ([{"name": name} for name in names] for names in resolved(cluster))
    return {
        "apiVersion": "config.openshift.io/v1",
        "kind": "FeatureGate",
        "metadata": metadata,
        "spec": spec,
        "status": {"featureGates": [{"version": cluster.release.version, "enabled": enabled, "disabled": disabled}]},
    }


REASONS = {
    f'metadata.annotations["{PROFILE}"]': because(
        "The flavour of OpenShift whose gates these are: operators on the cluster's own control plane."
    ),
    "spec": because("Nothing chosen: the default set, the only one that can be updated later."),
    "spec.featureSet": because(
        "The set chosen in install-config; anything but the default rules out updates for good.",
        breaks="the default set is taken",
    ),
    "spec.customNoUpgrade": because(
        "The gates that install-config turns on and off by name, under CustomNoUpgrade.",
        breaks="each of these gates stays as the release has it",
    ),
    "status.featureGates[].version": because(
        "Which release these gates are resolved for; readers look for their own version.",
        breaks='machine-config-controller: missing desired version "…" in featuregates (F41)',
    ),
    "status.featureGates[].enabled": because("Gates that are on in that release under this feature set."),
    "status.featureGates[].disabled": because(
        "Gates that the release knows and that are off; every known gate is in one list."
    ),
}


def documents(cluster: Cluster) -> tuple[Document, ...]:
    return (
        Document(
            path="openshift/99_feature-gate.yaml",
            body=_body,
            common=CONFIG,
            reasons=REASONS,
            why=because(
                "What is switched on in this cluster. The installer leaves its status to a program that runs on the "
                "bootstrap node; here nothing runs first, so the status is written with it.",
                readers="the cluster-version operator at its start, machine-config-controller, gated operators",
                breaks="the cluster-version operator treats it as a change of feature set and shuts down",
                source=MANIFESTS + "featuregate.go; " + source("api", "payload-command/render"),
            ),
        ),
    )
