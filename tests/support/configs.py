"""Random install-configs that the installer accepts, for properties over everything a cluster can be."""

from __future__ import annotations

import datetime
from functools import cache
from typing import Any

import yaml
from hypothesis import strategies as st

from tests.support.clusters import PULL_SECRET, SSH_KEY

CAPABILITY_SETS = ("None", "v4.11", "v4.12", "v4.13", "v4.14", "v4.15", "v4.16", "v4.17", "v4.18", "vCurrent")
CAPABILITIES = ("Build", "Console", "CSISnapshot", "ImageRegistry", "Insights", "NodeTuning", "Storage", "baremetal")

Document = dict[str, Any]


@st.composite
def valid_install_configs(draw: st.DrawFn) -> str:
    """Texts: block or flow style, keys in any order."""
    document = draw(valid_documents())
    ordered = {key: document[key] for key in draw(st.permutations(sorted(document)))}
    return yaml.safe_dump(ordered, default_flow_style=draw(st.booleans()), sort_keys=False)


@st.composite
def valid_documents(draw: st.DrawFn) -> Document:
    masters, workers = draw(st.sampled_from([1, 2, 3, 3, 3, 4, 5, 7])), draw(st.integers(0, 20))
    document = {
        "apiVersion": draw(st.sampled_from(["v1", "v1", "v1", "v1beta3", "v1beta4"])),
        "metadata": {"name": draw(st.from_regex(r"[a-z]([a-z0-9-]{0,12}[a-z0-9])?", fullmatch=True))},
        "baseDomain": draw(st.from_regex(r"([a-z][a-z0-9]{0,8}\.){1,3}[a-z]{2,6}\.?", fullmatch=True)),
        "controlPlane": draw(_pool("master", masters)),
        "compute": [draw(_pool("worker", workers))],
        "platform": {"none": {}},
        "pullSecret": PULL_SECRET,
    }
    for part in (_networking(), _access(), _proxy(), _trust(), _mirrors(), _features(), _rest()):
        document |= draw(part)
    return document


@st.composite
def _pool(draw: st.DrawFn, name: str, replicas: int) -> Document:
    optional = {
        "hyperthreading": st.sampled_from(["Enabled", "Disabled"]),
        "architecture": st.just("amd64"),
        "platform": st.just({}),
    }
    return {"name": name, "replicas": replicas} | draw(st.fixed_dictionaries({}, optional=optional))


def _networking() -> st.SearchStrategy[Document]:
    return st.one_of(st.just({}), _ipv4(), _ipv4(), _old_names(), _ipv6(), _dual_stack()).map(
        lambda networking: {"networking": networking} if networking else {}
    )


def _machines() -> st.SearchStrategy[Document]:
    return st.one_of(
        st.integers(0, 255).map(lambda n: {"cidr": f"192.168.{n}.0/24"}),
        st.integers(0, 80).map(lambda n: {"cidr": f"10.{n}.0.0/16"}),
        st.integers(0, 3).map(lambda n: {"cidr": f"172.20.0.{n * 64}/26"}),
    )


def _pods() -> st.SearchStrategy[Document]:
    return st.builds(
        lambda n, prefix: {"cidr": f"10.{128 + 4 * n}.0.0/14", "hostPrefix": prefix},
        st.integers(0, 31),
        st.integers(20, 28),
    )


@st.composite
def _ipv4(draw: st.DrawFn) -> Document:
    networking: Document = {
        "machineNetwork": [draw(_machines())],
        "clusterNetwork": [draw(_pods())],
        "serviceNetwork": [draw(st.sampled_from(["172.30.0.0/16", "172.31.0.0/20"]))],
    }
    for name in draw(st.sets(st.sampled_from(sorted(networking)))):
        del networking[name]
    networking["networkType"] = "OVNKubernetes"
    if draw(st.booleans()):
        networking["ovnKubernetesConfig"] = {"ipv4": {"internalJoinSubnet": "100.65.0.0/16"}}
    return networking


def _old_names() -> st.SearchStrategy[Document]:
    return st.builds(
        lambda machines, pods, bits: {
            "machineCIDR": machines["cidr"],
            "serviceCIDR": "172.31.0.0/16",
            "clusterNetworks": [{"cidr": pods["cidr"], "hostSubnetLength": bits}],
            "type": "OVNKubernetes",
        },
        _machines(),
        _pods(),
        st.integers(5, 12),
    )


def _ipv6() -> st.SearchStrategy[Document]:
    return st.builds(
        lambda n, size: {
            "machineNetwork": [{"cidr": f"fd00:{n:x}::/{size}"}],
            "clusterNetwork": [{"cidr": "fd01::/48", "hostPrefix": 64}],
            "serviceNetwork": ["fd02::/112"],
        },
        st.integers(1, 0xFFFF),
        st.sampled_from([48, 64, 64, 112, 120]),
    )


def _dual_stack() -> st.SearchStrategy[Document]:
    return st.builds(
        lambda four, pods, six: {
            name: [*first, *six[name]]
            for name, first in (
                ("machineNetwork", [four]),
                ("clusterNetwork", [pods]),
                ("serviceNetwork", ["172.30.0.0/16"]),
            )
        },
        _machines(),
        _pods(),
        _ipv6(),
    )


def _access() -> st.SearchStrategy[Document]:
    keys = [SSH_KEY, f'no-pty,command="ls -l" {SSH_KEY}', f"# mine\n{SSH_KEY}\n"]
    return st.one_of(st.just({}), st.sampled_from(keys).map(lambda key: {"sshKey": key}))


def _proxy() -> st.SearchStrategy[Document]:
    url = st.sampled_from(
        ["http://proxy.example.com:3128", "http://user:pa%20ss@192.0.2.9:80", "http://[2001:db8::9]:8080"]
    )
    return st.one_of(
        st.just({}),
        st.fixed_dictionaries(
            {"httpProxy": url, "httpsProxy": url},
            optional={"noProxy": st.sampled_from(["*", ".example.com,10.0.0.0/8", "localhost,fd00::/8,a.b."])},
        ).map(lambda proxy: {"proxy": proxy}),
    )


def _trust() -> st.SearchStrategy[Document]:
    policy = st.sampled_from(["Always", "Proxyonly"])
    bundle = st.deferred(lambda: st.integers(1, 2).map(lambda count: authority() * count))
    return st.fixed_dictionaries({}, optional={"additionalTrustBundlePolicy": policy, "additionalTrustBundle": bundle})


def _mirrors() -> st.SearchStrategy[Document]:
    repository = st.sampled_from(
        ["quay.io/openshift-release-dev/ocp-release", "registry.example.com:5000", "10.9.9.9:5000/a/b"]
    )
    entry = st.fixed_dictionaries({"source": repository}, optional={"mirrors": st.lists(repository, max_size=2)})
    name = st.sampled_from(["imageDigestSources", "imageContentSources"])
    return st.one_of(st.just({}), st.builds(lambda key, entries: {key: entries}, name, st.lists(entry, max_size=2)))


def _features() -> st.SearchStrategy[Document]:
    gates = st.lists(st.sampled_from(["Example=true", "Other=false", "Third=1"]), max_size=2)
    custom = gates.map(lambda names: {"featureSet": "CustomNoUpgrade", "featureGates": names})
    named = st.sampled_from(["TechPreviewNoUpgrade", "DevPreviewNoUpgrade", ""]).map(lambda name: {"featureSet": name})
    return st.one_of(st.just({}), st.just({}), named, custom)


def _rest() -> st.SearchStrategy[Document]:
    needed = ["Ingress", "OperatorLifecycleManager"]
    capabilities = st.builds(
        lambda baseline, additional: {
            "baselineCapabilitySet": baseline,
            "additionalEnabledCapabilities": needed + additional,
        },
        st.sampled_from(CAPABILITY_SETS),
        st.lists(st.sampled_from(CAPABILITIES), unique=True, max_size=3),
    )
    return st.fixed_dictionaries(
        {},
        optional={
            "capabilities": capabilities,
            "cpuPartitioningMode": st.sampled_from(["None", "AllNodes"]),
            "publish": st.just("External"),
            "fips": st.just(False),
        },
    )


@cache
def authority() -> str:
    """A real certificate of an authority, in PEM."""
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.serialization import Encoding

    key = ec.derive_private_key(7, ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "an authority for tests")])
    start = datetime.datetime(2024, 1, 1, tzinfo=datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(7)
        .not_valid_before(start)
        .not_valid_after(start + datetime.timedelta(days=3650))
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, SHA256(), ecdsa_deterministic=True)
    )
    return certificate.public_bytes(Encoding.PEM).decode()
