"""What the machine-config operator is given to render from: files of stages 05 and 07, and nothing besides."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hardway.graph.asset import Graph
from hardway.lines.sources import source
from hardway.manifests.machines import CONTROLLER_KINDS
from hardway.model import yaml
from hardway.model.why import Why, because

SOURCE = source("installer", "bootkube.sh.template (mco-bootstrap)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """A file that the first of the two programs reads, and the flag that names it."""

    address: str
    flag: str
    why: Why
    optional: bool = False


def _input(address: str, flag: str, what: str, breaks: str, *, optional: bool = False) -> Input:
    why = because(what, readers="machine-config-operator bootstrap", breaks=breaks, source=SOURCE)
    return Input(address=address, flag=flag, why=why, optional=optional)


OPERATOR_INPUTS = (
    _input("cert/root-ca", "--root-ca", "The CA of the machine-config server.", "a node cannot trust that server"),
    _input(
        "bundle/kube-apiserver-complete-client-ca-bundle",
        "--kube-ca",
        "The signers of the clients that a kubelet accepts.",
        "kubelets refuse the API server: no logs, no exec",
    ),
    _input(
        "manifest/cluster-config.yaml",
        "--config-file",
        "The install-config as the cluster keeps it: networks, the ssh key, fips.",
        "there is nothing to render from",
    ),
    _input(
        "manifest/openshift-config-secret-pull-secret.yaml",
        "--pull-secret",
        "The nodes' registry credentials; it becomes /var/lib/kubelet/config.json.",
        "no node can pull an image",
    ),
    _input(
        "manifest/cluster-infrastructure-02-config.yml",
        "--infra-config-file",
        "The platform and the API's addresses; api-int becomes /etc/kubernetes/apiserver-url.env.",
        "urlPort: unknown scheme, and nothing is rendered",
    ),
    _input(
        "manifest/cluster-network-02-config.yml",
        "--network-config-file",
        "The pod and service networks and their kind.",
        "kubelets get the wrong DNS address and IP families",
    ),
    _input(
        "manifest/cluster-proxy-01-config.yaml",
        "--proxy-config-file",
        "The proxy, for CRI-O and the kubelet.",
        "behind a proxy no node can pull",
    ),
    _input("manifest/cluster-dns-02-config.yml", "--dns-config-file", "The cluster's domain.", "names are not derived"),
    _input(
        "manifest/user-ca-bundle-config.yaml",
        "--additional-trust-bundle-config-file",
        "CAs of your own, for the nodes' trust store.",
        "nodes do not trust a registry or proxy with a private CA",
        optional=True,
    ),
)


def operator_inputs(graph: Graph) -> list[Input]:
    return [row for row in OPERATOR_INPUTS if row.address in graph or not row.optional]


def addresses(graph: Graph) -> list[str]:
    """Everything the render reads: it has to be built before."""
    manifests = [a for a in graph if a.startswith("manifest/")]
    return [*(row.address for row in operator_inputs(graph)), *manifests]


def for_controller(manifests: Iterable[tuple[str, bytes]]) -> dict[str, bytes]:
    """Of the cluster's manifests, those of a kind that the controller reads."""
    return {name: content for name, content in manifests if _kind(content) in CONTROLLER_KINDS}


def _kind(content: bytes) -> str:
    document = yaml.load(content)
    return str(document.get("kind")) if isinstance(document, dict) else ""
