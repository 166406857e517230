"""Assets made in memory, one at a time and only when asked for: quick enough for many configurations."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any

import yaml

from hardway.emit.document import Document
from hardway.graph.asset import Given, Graph
from hardway.manifests import table as manifests
from hardway.model.cluster import Cluster
from hardway.model.config.load import Inputs, load
from hardway.release.catalogue import release_for
from hardway.workspace.catalogue import make_graph
from tests.support.clusters import install_config
from tests.support.edited import dumped
from tests.support.entropy import FixedEntropy


@dataclass
class Made:
    cluster: Cluster
    graph: Graph
    entropy: FixedEntropy
    _content: dict[str, bytes] = field(default_factory=dict)

    def content(self, address: str) -> bytes:
        if address not in self._content:
            self._content[address] = self.graph[address].make(self.given(address))
        return self._content[address]

    def given(self, address: str) -> Given:
        return Given(asset=self.graph[address], cluster=self.cluster, content=self.content, entropy=self.entropy)

    def body(self, file: str) -> Any:
        """A manifest as the YAML text of it is read back."""
        return yaml.load(self.content(f"manifest/{file}"), yaml.CSafeLoader)

    @property
    def documents(self) -> tuple[Document, ...]:
        return manifests.documents(self.cluster)


def make(text: str, *, seed: str = "hardway", crds: dict[str, bytes] | None = None, **settings: Any) -> Made:
    """Everything that an install-config asks for; elliptic-curve keys and kube-proxy unless the settings say
    otherwise."""
    said = {"keys": "ecdsa-p256", "kubeProxy": True} | settings
    loaded = load(Inputs(install_config=text, settings=dumped(said)), release_for)
    return Made(cluster=loaded.cluster, graph=make_graph(loaded, crds=crds), entropy=FixedEntropy(seed))


def made(masters: int = 3, workers: int = 2, **changes: Any) -> Made:
    return make(dumped(install_config(masters, workers, **changes)))


CERTIFICATE = """-----BEGIN CERTIFICATE-----
MIIBIjCByKADAgECAgEHMAoGCCqGSM49BAMCMBAxDjAMBgNVBAMMBW15IGNhMB4X
DTI2MTExNTEyMjkyNVoXDTM2MTExMjEyMjkyNVowEDEOMAwGA1UEAwwFbXkgY2Ew
WTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQRC6l0z4w2ytxOe2tQ2wwQnJaXdDGZ
L7pfoAkWhyd87O4Rpm4/s6+p9xer7JtYOOwS2MQ+VTZiFOBfWUr5KMF1oxMwETAP
BgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0kAMEYCIQDf4FQLJEjpBX5xPfXL
Akhc/O/dEthRHKaHJXq/qloNkgIhALdJeQi2fja5C+Wx9j3GOJ2ns2jc+Ovwb2KN
hor+8duF
-----END CERTIFICATE-----
"""
ECDSA_KEY = (
    "ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBEmKSENjQEezOmxkZMy7opKgwFB9nkt5YRrYMjN"
    "uG5N87uRgg6CLrbo5wAdT/y6v0mKV0U2w0WZ2YB/++Tpockg= root@vm"
)
NETWORKING = install_config()["networking"]
JOIN = {"ovnKubernetesConfig": {"ipv4": {"internalJoinSubnet": "100.68.0.0/16"}}}
SOURCES = [
    {"source": "quay.io/a/b", "mirrors": ["mirror.example.com:5000/a", "other.example.com/b"]},
    {"source": "quay.io/c/d"},
]
NO_SMT = {
    "controlPlane": {"name": "master", "replicas": 3, "hyperthreading": "Disabled"},
    "compute": [{"name": "worker", "replicas": 2, "hyperthreading": "Disabled"}],
}
CAPABILITIES = {"baselineCapabilitySet": "None", "additionalEnabledCapabilities": ["Ingress"]}

CONFIGURATIONS: dict[str, dict[str, Any]] = {
    "default": {},
    "compact": {"workers": 0},
    "single": {"masters": 1, "workers": 0},
    "proxy": {
        "proxy": {"httpProxy": "http://p.example.com:1", "httpsProxy": "http://p.example.com:2", "noProxy": "a.b"}
    },
    "trust": {"additionalTrustBundle": CERTIFICATE, "additionalTrustBundlePolicy": "Always"},
    "digest-sources": {"imageDigestSources": SOURCES},
    "content-sources": {"imageContentSources": SOURCES},
    "join": {"networking": NETWORKING | JOIN},
    "other-network": {"networking": NETWORKING | {"networkType": "Calico"}},
    "tech-preview": {"featureSet": "TechPreviewNoUpgrade"},
    "custom": {"featureSet": "CustomNoUpgrade", "featureGates": ["GatewayAPI=true", "NewOLM=false"]},
    "capabilities": {"capabilities": CAPABILITIES},
    "fips": {"fips": True, "sshKey": ECDSA_KEY},
    "no-smt": NO_SMT,
    "no-ssh": {"sshKey": ""},
    "cpu-partitioning": {"cpuPartitioningMode": "AllNodes"},
}
"""Between them they take every conditional road of the manifests."""


@cache
def configured(name: str) -> Made:
    return made(**CONFIGURATIONS[name])
