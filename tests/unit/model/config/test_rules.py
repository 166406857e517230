"""Every rule, pinned: the change that breaks it, and whether that is an error or a warning."""

from __future__ import annotations

from typing import Any

import pytest

from hardway.model.cluster import Release
from hardway.model.config.load import Inputs, load
from hardway.model.config.rules import RULES
from hardway.model.errors import ConfigError
from hardway.model.problem import Problem
from tests.support.clusters import DUAL_STACK, IPV6, PROXY, PULL_SECRET, SSH_KEY, install_config
from tests.support.configs import authority
from tests.support.edited import dumped

RELEASE = Release(version="4.18.0", image="image", images={})


def problems(release: Release = RELEASE, **changes: Any) -> tuple[Problem, ...]:
    text = dumped(install_config(**changes))
    try:
        return load(Inputs(install_config=text), lambda _: release).warnings
    except ConfigError as error:
        return error.problems


def networking(**changes: Any) -> dict[str, Any]:
    return {"networking": {**install_config()["networking"], **changes}}


def pods(cidr: str, prefix: int | None = None) -> dict[str, Any]:
    return networking(clusterNetwork=[{"cidr": cidr} | ({} if prefix is None else {"hostPrefix": prefix})])


def machines(*cidrs: str) -> dict[str, Any]:
    return networking(machineNetwork=[{"cidr": cidr} for cidr in cidrs])


def join(cidr: str, **more: Any) -> dict[str, Any]:
    return networking(ovnKubernetesConfig={"ipv4": {"internalJoinSubnet": cidr}}, **more)


def services(*cidrs: str) -> dict[str, Any]:
    return networking(serviceNetwork=list(cidrs))


def pool(**fields: Any) -> dict[str, Any]:
    return {"compute": [{"name": "worker"} | fields]}


def secret(text: str) -> dict[str, Any]:
    return {"pullSecret": text}


MIRROR = [{"source": "quay.io/a", "mirrors": ["mirror.example.com/a"]}]
INGRESS = {"additionalEnabledCapabilities": ["Ingress"]}
LONG = ".".join(["a" * 49] * 4) + ".example.com"

ERRORS = [
    ("version.unknown", {"apiVersion": "v2"}),
    ("metadata.time", {"metadata": {"name": "demo", "creationTimestamp": "today"}}),
    ("name.invalid", {"metadata": {"name": "a" * 55}}),
    ("name.invalid", {"metadata": {"name": "Demo"}}),
    ("domain.invalid", {"baseDomain": "exam_ple.com"}),
    ("domain.invalid", {"baseDomain": "a" * 64 + ".com"}),
    ("domain.invalid", {"baseDomain": f"{'b' * 49}.{LONG}"}),
    ("platform.other", {"platform": {"aws": {}}}),
    ("platform.other", {"platform": {"none": {}, "vsphere": {}}}),
    ("platform.other", {"platform": {}}),
    ("platform.other", {"platform": {"none": None}}),
    ("pool.platform", pool(platform={"openstack": {}})),
    ("network.address", machines("192.168.126.1/24")),
    ("network.address", services("0.0.0.0/16")),
    ("network.overlap", machines("10.128.0.0/24")),
    ("network.overlap", machines("10.1.0.0/16", "10.1.2.0/24")),
    ("network.overlap", services("10.128.0.0/16")),
    ("network.unusable", machines("127.0.0.0/8")),
    ("network.unusable", machines("224.0.0.0/16")),
    ("network.mtu", networking(clusterNetworkMTU=9000)),
    ("network.dual-stack", {"networking": DUAL_STACK | {"clusterNetwork": DUAL_STACK["clusterNetwork"][:1]}}),
    ("network.dual-stack", {"networking": DUAL_STACK | {"machineNetwork": DUAL_STACK["machineNetwork"][::-1]}}),
    ("network.family", {"networking": IPV6 | {"machineNetwork": [{"cidr": "10.0.0.0/16"}]}}),
    ("network.family", pods("fd01::/48", 64)),
    ("network.service-count", services("172.30.0.0/16", "172.31.0.0/16")),
    ("network.service-count", {"networking": IPV6 | {"serviceNetwork": ["fd02::/112", "fd03::/112"]}}),
    ("network.service-size", services("172.0.0.0/11")),
    ("network.service-size", services("172.30.0.0/32")),
    ("network.service-size", {"networking": IPV6 | {"serviceNetwork": ["fd02::/107"]}}),
    ("network.host-prefix", pods("10.128.0.0/14")),
    ("network.host-prefix", pods("10.128.0.0/14", 13)),
    ("network.host-prefix", pods("10.128.0.0/14", 33)),
    ("network.host-prefix", {"networking": IPV6 | {"clusterNetwork": [{"cidr": "fd01::/48", "hostPrefix": 65}]}}),
    ("network.plugin", networking(networkType="OpenShiftSDN")),
    ("network.plugin", networking(networkType="Kuryr")),
    ("network.join-plugin", networking(networkType="Calico", ovnKubernetesConfig={})),
    ("network.join", join("192.168.126.0/24")),
    ("network.join", join("100.65.0.1/16")),
    ("network.join", join("100.65.0.0/23")),
    ("network.join", join("fd98::/64")),
    ("network.join", join("100.65.0.0/16", networkType="ovnkubernetes", clusterNetwork=[{"cidr": "10.128.0.0/14"}])),
    ("pool.control-plane", {"masters": 0}),
    ("pool.control-plane", {"masters": -1}),
    ("pool.workers", {"workers": -1}),
    ("pool.workers", {"workers": 5000}),
    ("pool.name", {"compute": [{"replicas": 2}]}),
    ("pool.name", {"compute": [{"name": "edge"}]}),
    ("pool.name", {"compute": [{"name": "worker"}, {"name": "worker"}]}),
    ("pool.architecture", pool(architecture="arm64")),
    ("pull-secret.form", secret("{")),
    ("pull-secret.form", secret("[]")),
    ("pull-secret.form", secret("{}")),
    ("pull-secret.form", secret('{"auths": {"quay.io": {}}}')),
    ("pull-secret.form", secret('{"auths": {"quay.io": "x"}}')),
    ("pull-secret.form", secret('{"auths": {"quay.io": {"auth": NaN}}}')),
    ("pull-secret.form", secret("[" * 100_000)),
    ("ssh.key", {"sshKey": "not a key"}),
    ("ssh.fips", {"fips": True}),
    ("trust.pem", {"additionalTrustBundle": "text"}),
    ("trust.pem", {"additionalTrustBundle": f"{authority()}\n"}),
    ("trust.pem", {"additionalTrustBundle": "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"}),
    ("proxy.required", {"proxy": {"noProxy": "a"}}),
    ("proxy.url", {"proxy": PROXY | {"httpProxy": "https://proxy"}}),
    ("proxy.url", {"proxy": PROXY | {"httpsProxy": "http://proxy:port"}}),
    ("proxy.inside", {"proxy": PROXY | {"httpProxy": "http://172.30.0.1"}}),
    ("proxy.inside", {"proxy": PROXY | {"httpProxy": "http://100.65.0.1"}} | join("100.65.0.0/16")),
    ("proxy.no-proxy", {"proxy": PROXY | {"noProxy": "*.example.com"}}),
    ("proxy.no-proxy", {"proxy": PROXY | {"noProxy": "a, b"}}),
    ("mirror.repository", {"imageDigestSources": [{"source": "quay.io/a:1", "mirrors": ["b.io/c"]}]}),
    ("mirror.repository", {"imageContentSources": [{"source": "quay.io/a", "mirrors": ["b/c"]}]}),
    ("mirror.both", {"imageContentSources": MIRROR, "imageDigestSources": MIRROR}),
    ("publish.value", {"publish": "Internal"}),
    ("publish.value", {"publish": "Mixed"}),
    ("publish.value", {"publish": "public"}),
    ("publish.operators", {"operatorPublishingStrategy": {}}),
    ("credentials.mode", {"credentialsMode": "Manual"}),
    ("capabilities.baseline", {"capabilities": {}}),
    ("capabilities.ingress", {"capabilities": {"baselineCapabilitySet": "v4.15"}}),
    ("capabilities.marketplace", {"capabilities": {"baselineCapabilitySet": "v4.14"} | INGRESS}),
    ("feature-gates.custom", {"featureGates": ["A=true"]}),
    ("feature-gates.form", {"featureSet": "CustomNoUpgrade", "featureGates": ["A"]}),
    ("feature-gates.form", {"featureSet": "CustomNoUpgrade", "featureGates": ["A=maybe"]}),
    ("field.required", {"baseDomain": ""}),
    ("field.value", {"featureSet": "Default"}),
    ("field.value", {"additionalTrustBundlePolicy": "always"}),
    ("field.value", {"capabilities": {"baselineCapabilitySet": "v4.19"}}),
    ("field.value", pool(hyperthreading="on")),
    ("plan.room", machines("192.168.126.0/29")),
    ("plan.room", {"workers": 200}),
]

WARNINGS = [
    ("domain.routes", {"baseDomain": f"{LONG}"}),
    ("domain.top-level", {"baseDomain": "lab.ict620"}),
    ("domain.top-level", {"baseDomain": "lab.x"}),
    ("platform.other", {"platform": {"none": {}, "external": {}}}),
    ("pool.platform", pool(platform={"nutanix": {}})),
    ("network.bridge", machines("172.17.5.0/24")),
    ("network.bridge", machines("10.88.0.0/16")),
    ("network.example", machines("192.0.2.0/24")),
    ("network.example", {"networking": IPV6 | {"machineNetwork": [{"cidr": "2001:db8::/64"}]}}),
    ("network.family", {"networking": {**DUAL_STACK, "serviceNetwork": ["172.30.0.0/16"]}}),
    ("network.service-size", services("172.30.0.0/29")),
    ("network.service-size", services("172.30.0.0/30")),
    ("network.service-size", services("172.30.0.0/26")),
    ("network.host-prefix", pods("10.128.0.0/14", 31)),
    ("network.host-prefix", pods("10.128.0.0/14", 32)),
    ("network.capacity", pods("10.128.0.0/24", 26)),
    ("network.plugin", networking(networkType="Calico")),
    ("network.plugin", networking(networkType="ovnkubernetes")),
    ("network.reserved", machines("100.64.0.0/24")),
    ("network.reserved", machines("169.254.5.0/24")),
    ("network.reserved", services("100.88.0.0/20")),
    ("network.reserved", {"networking": IPV6 | {"machineNetwork": [{"cidr": "fd98::/64"}]}}),
    ("network.reserved", {"networking": IPV6 | {"machineNetwork": [{"cidr": "fd69::/64"}]}}),
    ("pool.control-plane", {"masters": 2}),
    ("pool.control-plane", {"masters": 4}),
    ("pool.control-plane", {"masters": 7}),
    ("pool.single", {"masters": 1}),
    ("pool.workers", {"workers": 501} | machines("10.4.0.0/16")),
    (
        "pull-secret.credentials",
        secret('{"auths": {"quay.io": {"auth": "x"}, "registry.redhat.io": {"auth": "OnB3"}}}'),
    ),
    ("pull-secret.credentials", secret('{"auths": {"quay.io": {"credsStore": "x"}}}')),
    ("pull-secret.credentials", secret('{"auths": {"quay.io": {"auth": "é"}}}')),
    ("pull-secret.registries", secret('{"auths": {"quay.io": {"auth": "YTpi"}}}')),
    ("ssh.key", {"sshKey": ""}),
    ("ssh.key", {"sshKey": f"ssh-rsa {SSH_KEY.split()[1]}"}),
    ("fips.host", {"fips": True, "sshKey": ""}),
    ("trust.unused", {"additionalTrustBundle": authority()}),
    ("proxy.required", {"proxy": {"httpProxy": "http://proxy", "noProxy": "a"}}),
    ("proxy.url", {"proxy": PROXY | {"httpProxy": "http:proxy"}}),
    ("proxy.no-proxy-empty", {"proxy": PROXY | {"noProxy": ""}}),
    ("mirror.empty", {"imageDigestSources": [{"source": "quay.io/a"}]}),
    ("bootstrap.in-place", {"bootstrapInPlace": {"installationDisk": "/dev/sda"}}),
    ("cpu.partitioning", {"cpuPartitioningMode": "Some"}),
    ("feature-gates.form", {"featureSet": "CustomNoUpgrade", "featureGates": ["=true"]}),
    ("feature-set.no-upgrade", {"featureSet": "TechPreviewNoUpgrade"}),
    ("field.deprecated", {"imageContentSources": MIRROR}),
    ("field.unknown", {"fipss": True}),
    ("yaml.quotes", {"metadata": {"name": 418}}),
    ("yaml.case", {"FIPS": False}),
]


@pytest.mark.parametrize(("rule", "changes"), ERRORS)
def test_errors(rule: str, changes: dict[str, Any]) -> None:
    assert {problem.rule for problem in problems(**changes) if not problem.warning} == {rule}


@pytest.mark.parametrize(("rule", "changes"), WARNINGS)
def test_warnings(rule: str, changes: dict[str, Any]) -> None:
    found = problems(**changes)
    assert all(problem.warning for problem in found)
    assert rule in {problem.rule for problem in found}


def test_every_rule_is_pinned() -> None:
    assert {rule.id for rule in RULES} <= {rule for rule, _ in ERRORS + WARNINGS}


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"masters": 5, "workers": 0},
        {"masters": 1, "workers": 0},
        {"networking": DUAL_STACK},
        {"networking": IPV6},
        {"baseDomain": "example.com."},
        {"proxy": PROXY},
        {"imageDigestSources": MIRROR},
        {"additionalTrustBundle": authority() * 2, "additionalTrustBundlePolicy": "Always"},
        {"capabilities": {"baselineCapabilitySet": "None"} | INGRESS},
        join("100.65.0.0/16"),
        join("100.65.0.0/16", machineNetwork=[{"cidr": "10.5.0.0/16"}]),
        pods("10.128.0.0/14", 30),
        {"networking": DUAL_STACK | {"machineNetwork": [{"cidr": "10.0.0.0/16"}, {"cidr": "2001:db8::/64"}]}},
        services("172.30.0.0/24"),
        {"cpuPartitioningMode": "AllNodes", "publish": "External", "fips": False, "featureSet": ""},
    ],
)
def test_nothing_to_say(changes: dict[str, Any]) -> None:
    assert problems(**changes) == ()


def test_a_certificate_that_is_no_authority() -> None:
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.serialization import Encoding

    template = x509.load_pem_x509_certificate(authority().encode())
    key = ec.derive_private_key(9, ec.SECP256R1())
    leaf = (
        x509.CertificateBuilder()
        .subject_name(template.subject)
        .issuer_name(template.subject)
        .public_key(key.public_key())
        .serial_number(9)
        .not_valid_before(template.not_valid_before_utc)
        .not_valid_after(template.not_valid_after_utc)
        .sign(key, SHA256())
    )
    bundle = leaf.public_bytes(Encoding.PEM).decode()
    found = problems(additionalTrustBundle=bundle, additionalTrustBundlePolicy="Always")
    assert [(problem.rule, problem.warning) for problem in found] == [("trust.pem", True)]


def test_the_release_decides_the_architecture() -> None:
    arm = {
        "controlPlane": {"replicas": 3, "architecture": "arm64"},
        "compute": [{"name": "worker", "architecture": "arm64"}],
    }
    multi = Release(version="4.18.0", image="image", images={}, architecture="multi")
    assert {problem.rule for problem in problems(**arm)} == {"pool.architecture"}
    assert problems(multi, **arm) == ()


def test_no_secret_in_any_message() -> None:
    marker = "hunter2"
    found = problems(
        pullSecret=f'{{"auths": {{"quay.io": {{"password": "{marker}"}}}}',
        proxy={
            "httpProxy": f"https://me:{marker}@proxy",
            "httpsProxy": f"http://me:{marker}@proxy:x",
            "noProxy": f"{marker}@x",
        },
        imageDigestSources=[{"source": f"https://me:{marker}@mirror/x"}],
    )
    assert len([problem for problem in found if not problem.warning]) >= 4
    assert marker not in "\n".join(map(str, found))
    unquoted = problems(pullSecret={"auths": {marker: marker}}, proxy={"httpProxy": [marker]})
    assert marker not in "\n".join(map(str, unquoted))


def test_a_problem_does_not_hide_another() -> None:
    found = problems(
        metadata={"name": "Demo"},
        publish="Internal",
        fips="maybe",
        sshKey="x",
        pullSecret=PULL_SECRET[:-1],
        networking={"machineNetwork": [{"cidr": "10.128.0.0"}, {"cidr": "10.129.0.0/16"}]},
    )
    assert {problem.rule for problem in found if not problem.warning} == {
        "name.invalid",
        "publish.value",
        "field.type",
        "ssh.key",
        "pull-secret.form",
        "network.syntax",
        "network.overlap",
    }


def test_errors_come_first_and_in_the_order_of_the_file() -> None:
    found = problems(masters=2, workers=-1, publish="Internal", unknown=1)
    order = [(problem.warning, problem.line) for problem in found]
    assert order == sorted(order)
