"""Clusters to test with: an install-config as text, and what loading it gives."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hardway.model.cluster import Brought, Cluster
from hardway.model.config.load import Inputs, Loaded, load
from hardway.pki.issue import issue
from hardway.pki.private import private_pem
from hardway.pki.spec import Spec
from hardway.release.catalogue import release_for
from tests.support.edited import dumped
from tests.support.entropy import NOW, FixedEntropy

PULL_SECRET = (
    '{"auths":{"quay.io":{"auth":"ZXhhbXBsZTpleGFtcGxl"},"registry.redhat.io":{"auth":"ZXhhbXBsZTpleGFtcGxl"}}}'
)
SSH_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICvZnm6KGjiCizTVaPVBu58N7HXe9s5tW7z7cC1pi3Lf root@vm"
TOPOLOGIES = {"3+2": (3, 2), "3+0": (3, 0), "1+0": (1, 0)}


def install_config(masters: int = 3, workers: int = 2, **changes: Any) -> dict[str, Any]:
    """The default cluster of the notes; keyword arguments replace top-level fields."""
    return {
        "apiVersion": "v1",
        "baseDomain": "example.com",
        "metadata": {"name": "ocp4"},
        "controlPlane": {"name": "master", "replicas": masters},
        "compute": [{"name": "worker", "replicas": workers}],
        "networking": {
            "networkType": "OVNKubernetes",
            "clusterNetwork": [{"cidr": "10.128.0.0/14", "hostPrefix": 23}],
            "serviceNetwork": ["172.30.0.0/16"],
            "machineNetwork": [{"cidr": "192.168.126.0/24"}],
        },
        "platform": {"none": {}},
        "pullSecret": PULL_SECRET,
        "sshKey": SSH_KEY,
    } | changes


def load_cluster(config: dict[str, Any] | None = None, **settings: str) -> Loaded:
    """Settings by their names in hardway.yaml."""
    text = dumped(config or install_config())
    return load(Inputs(install_config=text, settings=dumped(settings)), release_for)


def without_operators() -> Cluster:
    """The default cluster of a release that deploys no operator: all of its control plane is made by hand."""
    return made_by(load_cluster().cluster)


def made_by(cluster: Cluster, *operators: str) -> Cluster:
    """Of a release that deploys these operators and no other."""
    rows = [row for row in cluster.line.operators if row.name in operators]
    brought = Brought(operators={row.name: () for row in rows}, deployments=tuple(row.deployment for row in rows))
    release = replace(cluster.release, brought=brought)
    return replace(cluster, release=release, operators=operators, kube_proxy="network" not in operators)


def authority() -> str:
    """A certificate authority of a mirror, the same in every run."""
    spec = Spec(common_name="mirror-ca", unit="test", hours=87600, ca=True)
    key = private_pem(FixedEntropy().key("mirror-ca", "ecdsa-p256"))
    return issue(spec, key=key, signer_key=None, signer_cert=None, now=NOW, serial=1).decode()


DUAL_STACK = {
    "networkType": "OVNKubernetes",
    "clusterNetwork": [{"cidr": "10.128.0.0/14", "hostPrefix": 23}, {"cidr": "fd01::/48", "hostPrefix": 64}],
    "serviceNetwork": ["172.30.0.0/16", "fd02::/112"],
    "machineNetwork": [{"cidr": "192.168.126.0/24"}, {"cidr": "fd2e:6f44:5dd8::/64"}],
}
IPV6 = {
    "networkType": "OVNKubernetes",
    "clusterNetwork": [{"cidr": "fd01::/48", "hostPrefix": 64}],
    "serviceNetwork": ["fd02::/112"],
    "machineNetwork": [{"cidr": "fd2e:6f44:5dd8::/64"}],
}
JOIN_SUBNET = {
    "networkType": "OVNKubernetes",
    "machineNetwork": [{"cidr": "192.168.126.0/24"}],
    "ovnKubernetesConfig": {"ipv4": {"internalJoinSubnet": "100.70.0.0/16"}},
}
PROXY = {
    "httpProxy": "http://proxy.example.com:3128",
    "httpsProxy": "http://proxy.example.com:3128",
    "noProxy": ".corp",
}
MIRRORS = [{"source": "quay.io/openshift-release-dev/ocp-release", "mirrors": ["mirror.example.com:5000/ocp/release"]}]

VARIANTS: dict[str, dict[str, Any]] = {
    "default": {},
    "compact": {"workers": 0},
    "single": {"masters": 1, "workers": 0},
    "five": {"masters": 5, "workers": 3},
    "dual-stack": {"networking": DUAL_STACK},
    "ipv6": {"networking": IPV6},
    "proxy": {"proxy": PROXY},
    "mirrors": {"imageDigestSources": MIRRORS},
    "content-sources": {"imageContentSources": MIRRORS},
    "tech-preview": {"featureSet": "TechPreviewNoUpgrade"},
    "custom-gates": {"featureSet": "CustomNoUpgrade", "featureGates": ["Example=true", "Other=false"]},
    "capabilities": {"capabilities": {"baselineCapabilitySet": "None", "additionalEnabledCapabilities": ["Ingress"]}},
    "fips": {"fips": True, "sshKey": ""},
    "join-subnet": {"networking": JOIN_SUBNET},
    "http-proxy": {"proxy": {"httpProxy": "http://proxy.example.com:3128"}},
    "workload-partitioning": {"cpuPartitioningMode": "AllNodes"},
    "trust-bundle": {"additionalTrustBundle": authority(), "additionalTrustBundlePolicy": "Always"},
    "no-smt": {
        "controlPlane": {"name": "master", "replicas": 3, "hyperthreading": "Disabled"},
        "compute": [{"name": "worker", "replicas": 2, "hyperthreading": "Disabled"}],
    },
}
"""Configurations that between them take every conditional road."""
