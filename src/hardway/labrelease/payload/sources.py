"""Where the payload's manifests come from: folders of the components' modules, read when the release is packed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hardway.labrelease.images.table import SETS, Set
from hardway.model.why import Why, because


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Files of a component's data folder, brought to the payload by an image."""

    image: str
    component: str
    folder: str
    why: Why
    pattern: str = "*.yaml"
    sets: tuple[Set, ...] = SETS


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A manifest of a source that does not go in."""

    file: str
    why: str
    sets: tuple[Set, ...] = SETS


_CRDS = "zz_generated.crd-manifests"

TABLE: tuple[Source, ...] = (
    Source(
        image="cluster-config-api",
        component="api",
        folder="payload-manifests/crds",
        why=because(
            "Every variant, as in a real payload: CVO, and every other reader of the release, uses those that match "
            "the feature set and the cluster profile."
        ),
    ),
    Source(
        image="cluster-config-api",
        component="api",
        folder="payload-manifests/featuregates",
        why=because("Which gates are on under which feature set. Read from the release; CVO itself passes them over."),
    ),
    Source(
        image="cluster-config-api",
        component="api",
        folder="payload-command/empty-resources",
        why=because(
            "Configuration objects that operators look for under the name `cluster`, whether install-config mentions "
            "them or not. Each is create-only: an existing object stays.",
            breaks="operators wait for an object that nothing creates",
        ),
    ),
    Source(
        image="cluster-config-api",
        component="api",
        folder=f"operator/v1/{_CRDS}",
        pattern="0000_70_network_01_networks*.crd.yaml",
        why=because(
            "The type of the network operator's configuration. The lab has no such operator, but the object that it "
            "would read is among the cluster's manifests, and nothing could take it in."
        ),
    ),
    Source(
        image="cluster-config-api",
        component="api",
        folder=f"machine/v1beta1/{_CRDS}",
        pattern="0000_10_machine-api_01_machines-*.crd.yaml",
        sets=("operators",),
        why=because(
            "The type of machines that a cloud has. There are none here, but the etcd operator lists them before it "
            "adds a member; it accepts an empty list, but not a missing type.",
            breaks="failed to list *v1beta1.Machine: the server could not find the resource; no member is added",
        ),
    ),
    Source(
        image="machine-config-operator",
        component="machine-config-operator",
        folder="install",
        why=because(
            "MCO's namespaces, accounts, and its list of images, which its render step is given. In the set "
            "`operators` also the operator itself, which renders again what the nodes were made from."
        ),
    ),
    Source(
        image="cluster-etcd-operator",
        component="cluster-etcd-operator",
        folder="manifests",
        sets=("operators",),
        why=because("The etcd operator, as its authors deploy it."),
    ),
    Source(
        image="cluster-kube-apiserver-operator",
        component="cluster-kube-apiserver-operator",
        folder="manifests",
        sets=("operators",),
        why=because("The API server's operator, as its authors deploy it."),
    ),
    Source(
        image="cluster-kube-apiserver-operator",
        component="cluster-kube-apiserver-operator",
        folder="bindata/bootkube/scc-manifests",
        sets=("operators",),
        why=because("The security context constraints: the operator's API server admits no pod without them."),
    ),
    Source(
        image="cluster-kube-apiserver-operator",
        component="api",
        folder=f"apiserver/v1/{_CRDS}",
        pattern="kube-apiserver_apirequestcounts.crd.yaml",
        sets=("operators",),
        why=because("Where the API server counts requests to types that will go away."),
    ),
    Source(
        image="cluster-config-operator",
        component="cluster-config-operator",
        folder="manifests",
        sets=("operators",),
        why=because("The config operator, as its authors deploy it."),
    ),
    Source(
        image="service-ca-operator",
        component="service-ca-operator",
        folder="manifests",
        sets=("operators",),
        why=because("The service CA's operator, as its authors deploy it."),
    ),
    Source(
        image="service-ca-operator",
        component="api",
        folder=f"operator/v1/{_CRDS}",
        pattern="0000_50_service-ca_02_servicecas.crd.yaml",
        sets=("operators",),
        why=because("The type of that operator's own configuration, which its image brings too."),
    ),
)

LEFT_OUT: tuple[LeftOut, ...] = (
    LeftOut(
        file="0000_80_machine-config_04_deployment.yaml",
        why="a lab of the set `core` is the smallest that works: it has no operator but CVO and the lab's own",
        sets=("core",),
    ),
    LeftOut(
        file="0000_80_machine-config_06_clusteroperator.yaml",
        why="nothing would report on it, and CVO would wait for it without end",
        sets=("core",),
    ),
)


def of(chosen: Set) -> tuple[Source, ...]:
    return tuple(source for source in TABLE if chosen in source.sets)


def read(source: Source, folders: Mapping[str, Path], chosen: Set) -> dict[str, str]:
    """The source's manifests by file name, as their authors wrote them."""
    skipped = {row.file for row in LEFT_OUT if chosen in row.sets}
    found = sorted((folders[source.component] / "data" / source.folder).glob(source.pattern))
    return {path.name: path.read_text() for path in found if path.name not in skipped}


def references(source: Source, folders: Mapping[str, Path]) -> str:
    """The source's list of the images that its manifests name, if it has one."""
    path = folders[source.component] / "data" / source.folder / "image-references"
    return path.read_text() if path.is_file() else ""
