"""What is switched on, and how the cluster shows itself."""

from __future__ import annotations

from hardway.lines.sources import source
from hardway.model.config.fields.row import row

_API = source("api", "config/v1")

ROWS = (
    row(
        "fips",
        "boolean",
        "whether the machines run in FIPS mode",
        readers="the MachineConfig 99-*-fips and, through it, the kernel and crypto libraries",
        breaks="it cannot be switched on later",
        source=source("installer", "pkg/hostcrypt"),
    ),
    row(
        "publish",
        "text",
        "how the cluster's addresses are published; platform none allows External only",
        readers="the DNS and ingress manifests on clouds",
        breaks="Internal and Mixed need a cloud's DNS and are refused",
        default="External",
    ),
    row(
        "operatorPublishingStrategy",
        "mapping",
        "the parts of publish: Mixed, which only Azure has",
        readers="no program on platform none",
        breaks="the file is refused",
    ),
    *(
        row(
            f"operatorPublishingStrategy.{name}",
            "text",
            f"how the {name} would be published",
            readers="no program on platform none",
            breaks="the file is refused",
        )
        for name in ("ingress", "apiserver")
    ),
    row(
        "credentialsMode",
        "text",
        "how the operators get cloud credentials; platform none has no cloud",
        readers="the cloud-credential-operator on clouds",
        breaks="any value is refused",
    ),
    row(
        "cpuPartitioningMode",
        "text",
        "AllNodes reserves processors for the platform on all nodes; None, the default, does not",
        readers="Infrastructure status.cpuPartitioning; two MachineConfigs, 01-master- and 01-worker-cpu-partitioning",
        breaks="it cannot be changed later; an unknown word counts as None. A PerformanceProfile says which processors",
        source=source("installer", "pkg/asset/manifests/topologies.go"),
    ),
    row(
        "bootstrapInPlace",
        "mapping",
        "installing one node without a bootstrap machine",
        readers="the installer's create single-node-ignition-config only",
        breaks="no effect: this tool always plans a bootstrap machine",
        source=source("installer", "pkg/asset/ignition/bootstrap/bootstrap_in_place.go"),
    ),
    row(
        "bootstrapInPlace.installationDisk",
        "text",
        "the disk that such a node would install itself to",
        readers="coreos-installer, in an installation without a bootstrap machine",
        breaks="no effect here",
    ),
    row(
        "capabilities",
        "mapping",
        "which optional parts of OpenShift are installed",
        readers="the cluster-version-operator, through ClusterVersion",
        breaks="a part that is left out can be added later, a part that is in cannot be taken out",
        source=_API,
    ),
    row(
        "capabilities.baselineCapabilitySet",
        "text",
        "the set to start from",
        readers="the cluster-version-operator",
        breaks="the stanza without it is refused",
        source=_API,
    ),
    row(
        "capabilities.additionalEnabledCapabilities",
        "list",
        "parts on top of the set",
        readers="the cluster-version-operator",
        breaks="a part that another one needs may be missing",
        source=_API,
    ),
    row(
        "capabilities.additionalEnabledCapabilities[]",
        "text",
        "one part",
        readers="the cluster-version-operator",
        breaks="an unknown name is refused",
        source=_API,
    ),
    row(
        "featureSet",
        "text",
        "a set of features beyond the supported ones",
        readers="the FeatureGate cluster object, every operator",
        breaks="such a cluster can never be updated",
        source=_API,
        values=("TechPreviewNoUpgrade", "DevPreviewNoUpgrade", "CustomNoUpgrade"),
    ),
    row(
        "featureGates",
        "list",
        "single features for featureSet: CustomNoUpgrade",
        readers="the FeatureGate cluster object",
        breaks="a component does not start with a gate it does not know",
        source=_API,
    ),
    row(
        "featureGates[]",
        "text",
        "one feature as Name=true or Name=false",
        readers="the FeatureGate cluster object",
        breaks="other forms are refused",
        source=_API,
    ),
)
