"""What the documents say for particular install-configs, fact by fact."""

from __future__ import annotations

import json
from base64 import b64decode
from hashlib import sha256

import pytest
import yaml

from hardway.lines.default import DEFAULT
from hardway.release.catalogue import feature_gates
from tests.support.clusters import DUAL_STACK, IPV6, PULL_SECRET, SSH_KEY
from tests.support.manifests import CERTIFICATE, JOIN, NETWORKING, SOURCES, configured, made

INFRASTRUCTURE = "cluster-infrastructure-02-config.yml"
PROXY = "cluster-proxy-01-config.yaml"
OWN = ".cluster.local,.svc,10.128.0.0/14,127.0.0.1,172.30.0.0/16,192.168.126.0/24"
URL = "http://proxy.example.com:3128"


@pytest.mark.parametrize(
    ("masters", "workers", "control_plane", "infrastructure", "placement", "schedulable"),
    [
        (3, 2, "HighlyAvailable", "HighlyAvailable", "Workers", False),
        (3, 0, "HighlyAvailable", "HighlyAvailable", "Workers", True),
        (3, 1, "HighlyAvailable", "SingleReplica", "Workers", False),
        (1, 0, "SingleReplica", "SingleReplica", "ControlPlane", True),
        (1, 2, "SingleReplica", "HighlyAvailable", "ControlPlane", False),
        (2, 0, "SingleReplica", "SingleReplica", "ControlPlane", True),
        (5, 3, "HighlyAvailable", "HighlyAvailable", "Workers", False),
    ],
)
def test_topology(masters, workers, control_plane, infrastructure, placement, schedulable):
    cluster = made(masters, workers)
    status = cluster.body(INFRASTRUCTURE)["status"]
    assert status["controlPlaneTopology"] == control_plane
    assert status["infrastructureTopology"] == infrastructure
    assert cluster.body("cluster-ingress-02-config.yml")["status"] == {"defaultPlacement": placement}
    assert cluster.body("cluster-scheduler-02-config.yml")["spec"]["mastersSchedulable"] is schedulable


def test_names_come_from_cluster_name_and_base_domain_without_its_dot():
    cluster = made(metadata={"name": "a.b"}, baseDomain="example.org.")
    assert cluster.body("cluster-dns-02-config.yml")["spec"]["baseDomain"] == "a.b.example.org"
    assert cluster.body("cluster-ingress-02-config.yml")["spec"]["domain"] == "apps.a.b.example.org"
    status = cluster.body(INFRASTRUCTURE)["status"]
    assert status["apiServerURL"] == "https://api.a.b.example.org:6443"
    assert status["apiServerInternalURI"] == "https://api-int.a.b.example.org:6443"
    assert "apiServerInternalURL" not in status
    assert status["infrastructureName"].startswith("a-b-")


@pytest.mark.parametrize(
    ("changes", "no_proxy"),
    [
        ({"proxy": {"httpProxy": URL}}, f"{OWN},api-int.ocp4.example.com,localhost"),
        ({"proxy": {"httpProxy": URL, "noProxy": "*"}}, "*"),
        (
            {"proxy": {"httpProxy": URL, "noProxy": "b.com,.a.com,b.com,10.9.0.0/16,localhost"}},
            ".a.com,.cluster.local,.svc,10.128.0.0/14,10.9.0.0/16,127.0.0.1,172.30.0.0/16,192.168.126.0/24,"
            "api-int.ocp4.example.com,b.com,localhost",
        ),
        (
            {"proxy": {"httpsProxy": URL}, "networking": DUAL_STACK},
            f"{OWN},api-int.ocp4.example.com,fd01::/48,fd02::/112,fd2e:6f44:5dd8::/64,localhost",
        ),
        (
            {"proxy": {"httpProxy": URL}, "networking": IPV6},
            ".cluster.local,.svc,127.0.0.1,api-int.ocp4.example.com,fd01::/48,fd02::/112,fd2e:6f44:5dd8::/64,localhost",
        ),
    ],
)
def test_what_is_reached_without_the_proxy(changes, no_proxy):
    assert made(**changes).body(PROXY)["status"]["noProxy"] == no_proxy


def test_a_proxy_is_repeated_in_status_and_an_absent_one_leaves_it_empty():
    given = {"httpProxy": URL, "httpsProxy": "https://p.example.com:1", "noProxy": "a.b"}
    body = made(proxy=given).body(PROXY)
    assert body["spec"] == given | {"trustedCA": {"name": ""}}
    assert body["status"]["httpProxy"] == URL
    assert body["status"]["httpsProxy"] == "https://p.example.com:1"
    assert configured("default").body(PROXY)["status"] == {}


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({}, ""),
        ({"additionalTrustBundlePolicy": "Always"}, "user-ca-bundle"),
        ({"proxy": {"httpProxy": URL}}, "user-ca-bundle"),
    ],
)
def test_when_the_trust_bundle_is_trusted_everywhere(changes, name):
    cluster = made(additionalTrustBundle=CERTIFICATE, **changes)
    assert cluster.body(PROXY)["spec"]["trustedCA"]["name"] == name
    assert cluster.body("user-ca-bundle-config.yaml")["data"] == {"ca-bundle.crt": CERTIFICATE}


def test_certificates_of_a_bundle_are_written_out_anew():
    ragged = CERTIFICATE.strip() + "\n\n" + CERTIFICATE.replace("\n", "\r\n")
    assert made(additionalTrustBundle=ragged.replace("\r", "")).body("user-ca-bundle-config.yaml")["data"] == {
        "ca-bundle.crt": CERTIFICATE * 2
    }


def test_mirrors():
    digests = configured("digest-sources").body("image-digest-mirror-set.yaml")
    assert digests["spec"] == {"imageDigestMirrors": [SOURCES[0], {"source": "quay.io/c/d"}]}
    assert (digests["apiVersion"], digests["status"]) == ("config.openshift.io/v1", {})
    policy = configured("content-sources").body("image-content-source-policy.yaml")
    assert policy["spec"] == {"repositoryDigestMirrors": [SOURCES[0], {"source": "quay.io/c/d", "mirrors": None}]}
    assert (policy["apiVersion"], "status" in policy) == ("operator.openshift.io/v1alpha1", False)


def test_both_network_documents_agree_and_the_join_network_is_in_one():
    cluster = made(networking=DUAL_STACK)
    asked, working = (cluster.body(f"cluster-network-{n}-config.yml")["spec"] for n in ("02", "03"))
    for key in ("clusterNetwork", "serviceNetwork"):
        assert asked[key] == working[key] == DUAL_STACK[key]
    assert asked["externalIP"] == {"policy": {}}
    assert working["defaultNetwork"] == {"ovnKubernetesConfig": {"egressIPConfig": {}}, "type": "OVNKubernetes"}
    moved = configured("join").body("cluster-network-03-config.yml")["spec"]["defaultNetwork"]
    assert moved["ovnKubernetesConfig"]["ipv4"] == JOIN["ovnKubernetesConfig"]["ipv4"]
    other = configured("other-network").body("cluster-network-03-config.yml")["spec"]["defaultNetwork"]
    assert other == {"type": "Calico"}


def names_of_overrides(cluster):
    return [(o["group"], o["kind"], o["name"]) for o in cluster.body("cvo-overrides.yaml")["spec"]["overrides"]]


def test_overrides_are_fourteen_and_one_for_each_conditional_document():
    default = names_of_overrides(configured("default"))
    assert len(default) == 14
    for name, extra in (
        ("trust", ("", "ConfigMap", "user-ca-bundle")),
        ("digest-sources", ("config.openshift.io", "ImageDigestMirrorSet", "image-digest-mirror")),
        ("content-sources", ("operator.openshift.io", "ImageContentSourcePolicy", "image-policy")),
        ("join", ("operator.openshift.io", "Network", "cluster")),
    ):
        assert [o for o in names_of_overrides(configured(name)) if o not in default] == [extra]


def test_cluster_version():
    cluster = configured("capabilities")
    spec = cluster.body("cvo-overrides.yaml")["spec"]
    assert spec["channel"] == "stable-4.18"
    assert spec["clusterID"] == cluster.content("id/cluster").decode()
    assert spec["capabilities"] == {"baselineCapabilitySet": "None", "additionalEnabledCapabilities": ["Ingress"]}
    assert (
        not {"capabilities", "desiredUpdate", "upstream"}
        & configured("default").body("cvo-overrides.yaml")["spec"].keys()
    )


def test_every_known_gate_is_in_exactly_one_list():
    for name, feature_set in (("default", ""), ("tech-preview", "TechPreviewNoUpgrade")):
        [gates] = configured(name).body("99_feature-gate.yaml")["status"]["featureGates"]
        enabled, disabled = ([gate["name"] for gate in gates[key]] for key in ("enabled", "disabled"))
        assert gates["version"] == "4.18.0"
        assert (enabled, disabled) == tuple(sorted(names) for names in feature_gates(DEFAULT)[feature_set or "Default"])
        assert not set(enabled) & set(disabled)


def test_custom_gates_lie_over_the_default_ones():
    body = configured("custom").body("99_feature-gate.yaml")
    assert body["spec"] == {
        "featureSet": "CustomNoUpgrade",
        "customNoUpgrade": {"enabled": ["GatewayAPI"], "disabled": ["NewOLM"]},
    }
    [gates] = body["status"]["featureGates"]
    assert {"name": "GatewayAPI"} in gates["enabled"]
    assert {"name": "NewOLM"} in gates["disabled"]
    on, off = feature_gates(DEFAULT)["Default"]
    assert len(gates["enabled"]) + len(gates["disabled"]) == len({*on, *off, "GatewayAPI", "NewOLM"})
    assert "annotations" not in body["metadata"]


def test_machine_configs_are_there_when_they_are_asked_for():
    files = {name: {d.file for d in configured(name).documents} for name in ("default", "no-ssh", "fips", "no-smt")}
    assert not any("-ssh.yaml" in file for file in files["no-ssh"])
    for role in ("master", "worker"):
        lead = f"99_openshift-machineconfig_99-{role}-"
        assert f"{lead}ssh.yaml" in files["default"]
        assert f"{lead}fips.yaml" in files["fips"] - files["default"]
        assert f"{lead}disable-hyperthreading.yaml" in files["no-smt"] - files["default"]
        ssh = configured("default").body(f"{lead}ssh.yaml")["spec"]["config"]
        assert ssh["passwd"] == {"users": [{"name": "core", "sshAuthorizedKeys": [SSH_KEY]}]}
        assert configured("fips").body(f"{lead}fips.yaml")["spec"]["fips"] is True
        threads = configured("no-smt").body(f"{lead}disable-hyperthreading.yaml")["spec"]
        assert threads["kernelArguments"] == ["nosmt", "smt-enabled=off"]


@pytest.mark.parametrize("role", ["master", "worker"])
def test_user_data_points_to_the_machine_config_server_and_trusts_root_ca(role):
    cluster = configured("default")
    data = cluster.body(f"99_openshift-cluster-api_{role}-user-data-secret.yaml")["data"]
    assert b64decode(data["disableTemplating"]) == b"true\n"
    ignition = json.loads(b64decode(data["userData"]))["ignition"]
    assert ignition["version"] == "3.2.0"
    assert ignition["config"] == {"merge": [{"source": f"https://api-int.ocp4.example.com:22623/config/{role}"}]}
    [authority] = ignition["security"]["tls"]["certificateAuthorities"]
    assert b64decode(authority["source"].partition(",")[2]) == cluster.content("cert/root-ca")


def test_the_kept_install_config_is_whole_but_for_the_pull_secret():
    text = configured("default").body("cluster-config.yaml")["data"]["install-config"]
    kept = yaml.safe_load(text)
    assert kept["pullSecret"] == ""
    assert kept["sshKey"] == SSH_KEY
    assert kept["networking"] == NETWORKING
    assert kept["controlPlane"]["replicas"] == 3
    assert PULL_SECRET not in text
    assert len(text) == 670


def test_under_fips_the_kept_install_config_says_that_the_host_was_not_checked():
    kept = yaml.safe_load(configured("fips").body("cluster-config.yaml")["data"]["install-config"])
    assert kept["metadata"]["annotations"] == {"install.openshift.io/hostcrypt-check-bypassed": "true"}


def test_pull_secret_password_and_version():
    cluster = configured("default")
    pull = cluster.body("openshift-config-secret-pull-secret.yaml")
    assert b64decode(pull["data"][".dockerconfigjson"]).decode() == PULL_SECRET
    assert pull["type"] == "kubernetes.io/dockerconfigjson"
    kubeadmin = cluster.body("99_kubeadmin-password-secret.yaml")
    assert b64decode(kubeadmin["data"]["kubeadmin"]) == cluster.content("hash/kubeadmin")
    assert cluster.body("openshift-install-manifests.yaml")["data"] == {"invoker": "user", "version": "v4.18.0"}
    assert configured("cpu-partitioning").body(INFRASTRUCTURE)["status"]["cpuPartitioning"] == "AllNodes"


OPERATORS_FILES = {
    "/etc/kubernetes/openshift-workload-pinning": "44ab151f88be2455",
    "/etc/crio/crio.conf.d/01-workload-pinning-default.conf": "7e53989a09794d92",
}
"""The beginnings of the digests of what the node-tuning operator of release-4.18 writes."""


@pytest.mark.parametrize("role", ["master", "worker"])
def test_cpu_partitioning_brings_the_node_tuning_operators_machine_configs(role):
    file = f"01_01-{role}-cpu-partitioning_workload_pinning_machineconfig.yaml"
    assert f"manifest/{file}" not in configured("default").graph
    config = configured("cpu-partitioning").body(file)
    assert config["metadata"]["name"] == f"01-{role}-cpu-partitioning"
    assert config["metadata"]["labels"] == {"machineconfiguration.openshift.io/role": role}
    files = config["spec"]["config"]["storage"]["files"]
    content = {f["path"]: b64decode(f["contents"]["source"].partition(",")[2]) for f in files}
    assert {path: sha256(found).hexdigest()[:16] for path, found in content.items()} == OPERATORS_FILES
    assert [f["mode"] for f in files] == [420, 420]
