"""The whole of load(): settings, the cluster's values, and the document that the installer would write."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
import yaml

from hardway.model.cluster import Capabilities, ImageSource, Proxy, Release
from hardway.model.config.load import Inputs, Loaded, load
from hardway.model.errors import ConfigError
from hardway.model.settings.file import Options, Settings
from tests.support.clusters import PROXY, PULL_SECRET, install_config
from tests.support.configs import authority

MINIMAL = f"""
apiVersion: v1
baseDomain: example.com
metadata: {{name: demo}}
platform: {{none: {{}}}}
pullSecret: '{PULL_SECRET}'
"""
RELEASES = {
    version: Release(version=version, image=f"quay.io/release:{version}", images={}) for version in ("4.18.0", "4.18.1")
}


def loaded(settings: str | None = None, options: Options | None = None, text: str = MINIMAL) -> Loaded:
    return load(Inputs(install_config=text, settings=settings), RELEASES.__getitem__, options)


def refusal(**given: Any) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        loaded(**given)
    return [f"{problem.file} {problem.path} {problem.rule}" for problem in caught.value.problems if not problem.warning]


def test_defaults_as_the_installer_writes_them() -> None:
    pool = {"architecture": "amd64", "hyperthreading": "Enabled", "platform": {}, "replicas": 3}
    assert loaded().cluster.install_config == {
        "additionalTrustBundlePolicy": "Proxyonly",
        "apiVersion": "v1",
        "baseDomain": "example.com",
        "compute": [pool | {"name": "worker"}],
        "controlPlane": pool | {"name": "master"},
        "metadata": {"creationTimestamp": None, "name": "demo"},
        "networking": {
            "clusterNetwork": [{"cidr": "10.128.0.0/14", "hostPrefix": 23}],
            "machineNetwork": [{"cidr": "10.0.0.0/16"}],
            "networkType": "OVNKubernetes",
            "serviceNetwork": ["172.30.0.0/16"],
        },
        "platform": {"none": {}},
        "publish": "External",
        "pullSecret": PULL_SECRET,
    }


def test_keys_are_in_alphabetical_order_at_every_depth() -> None:
    def is_sorted(value: Any) -> bool:
        if isinstance(value, dict):
            return list(value) == sorted(value) and all(map(is_sorted, value.values()))
        return not isinstance(value, list) or all(map(is_sorted, value))

    assert is_sorted(loaded(text=yaml.safe_dump(install_config(proxy=PROXY))).cluster.install_config)


def test_old_names_stay_beside_the_new_ones() -> None:
    networking = {
        "type": "OVNKubernetes",
        "machineCIDR": "10.1.0.0/16",
        "serviceCIDR": "172.31.0.0/16",
        "clusterNetworks": [{"cidr": "10.132.0.0/14", "hostSubnetLength": 9}],
    }
    entry = {"cidr": "10.132.0.0/14", "hostPrefix": 23, "hostSubnetLength": 9}
    document = loaded(
        text=yaml.safe_dump(install_config(apiVersion="v1beta3", networking=networking))
    ).cluster.install_config
    assert document["apiVersion"] == "v1"
    assert document["networking"] == networking | {
        "networkType": "OVNKubernetes",
        "machineNetwork": [{"cidr": "10.1.0.0/16"}],
        "serviceNetwork": ["172.31.0.0/16"],
        "clusterNetwork": [entry],
        "clusterNetworks": [entry],
    }


def test_a_problem_of_an_old_name_is_shown_where_it_is_written() -> None:
    text = MINIMAL + "networking:\n  machineCIDR: 10.0.0.1/16\n"
    with pytest.raises(ConfigError) as caught:
        loaded(text=text)
    problem = caught.value.problems[0]
    assert (problem.line, problem.path) == (8, "networking.machineNetwork[0].cidr")


@pytest.mark.parametrize(
    ("changes", "written"),
    [
        ({"fips": False, "sshKey": "", "featureGates": [], "proxy": None}, {}),
        ({"bootstrapInPlace": {}}, {"bootstrapInPlace": {"installationDisk": ""}}),
        ({"kind": "InstallConfig"}, {"kind": "InstallConfig"}),
        ({"unknown": {"a": 1}}, {}),
        ({"metadata": {"name": "demo", "labels": {"b": "1", "a": "2"}, "annotations": {}}}, {}),
    ],
)
def test_what_is_empty_or_unknown_is_not_written(changes: dict[str, Any], written: dict[str, Any]) -> None:
    document = loaded(text=yaml.safe_dump(yaml.safe_load(MINIMAL) | changes)).cluster.install_config
    rest = {key: value for key, value in document.items() if key not in loaded().cluster.install_config}
    assert rest == written
    assert "annotations" not in document["metadata"]


def test_the_cluster_carries_everything() -> None:
    text = yaml.safe_dump(
        install_config(
            proxy=PROXY,
            additionalTrustBundle=authority(),
            additionalTrustBundlePolicy="Always",
            imageDigestSources=[{"source": "quay.io/a", "mirrors": ["b.io/c"]}],
            capabilities={"baselineCapabilitySet": "v4.18", "additionalEnabledCapabilities": ["Ingress"]},
            featureSet="CustomNoUpgrade",
            featureGates=["A=true"],
            cpuPartitioningMode="AllNodes",
            controlPlane={"replicas": 3, "hyperthreading": "Disabled"},
        )
    )
    cluster = loaded(text=text).cluster
    assert cluster.domain == "ocp4.example.com"
    assert cluster.proxy == Proxy(http=PROXY["httpProxy"], https=PROXY["httpsProxy"], no_proxy=".corp")
    assert (cluster.trust_bundle, cluster.trust_bundle_policy) == (authority(), "Always")
    assert cluster.digest_sources == (ImageSource(source="quay.io/a", mirrors=("b.io/c",)),)
    assert cluster.capabilities == Capabilities(baseline="v4.18", additional=("Ingress",))
    assert (cluster.feature_set, cluster.feature_gates, cluster.cpu_partitioning) == (
        "CustomNoUpgrade",
        ("A=true",),
        "AllNodes",
    )
    assert (cluster.control_plane_hyperthreading, cluster.compute_hyperthreading) == (False, True)
    assert cluster.pull_secret == PULL_SECRET
    assert PULL_SECRET not in repr(cluster)


def test_a_single_node_has_its_topology() -> None:
    cluster = loaded(text=yaml.safe_dump(install_config(masters=1, workers=0))).cluster
    assert (cluster.control_plane_topology, cluster.masters_schedulable) == ("SingleReplica", True)


def test_settings_have_defaults() -> None:
    assert loaded().settings == Settings() == loaded(settings="").settings
    assert (loaded().cluster.key_kind, loaded().cluster.short_lifetime_hours) == ("rsa-2048", 168)


def test_settings_from_the_file() -> None:
    text = "release: 4.18.1\nkeys: ecdsa-p256\nshortLived: 1d12h\ncomments: full\nmco: rendered\n"
    made = loaded(settings=text)
    assert made.settings == Settings(
        release="4.18.1", key_kind="ecdsa-p256", short_lifetime_hours=36, comments="full", mco="rendered"
    )
    assert made.cluster.release.version == "4.18.1"
    assert made.cluster.short_lifetime_hours == 36


def test_options_win_over_the_file() -> None:
    options = Options(keys="rsa-4096", short_lived="2d", comments="none")
    settings = loaded(settings="keys: ecdsa-p256\nshortLived: 7d\n", options=options).settings
    assert (settings.key_kind, settings.short_lifetime_hours, settings.comments) == ("rsa-4096", 48, "none")


@pytest.mark.parametrize("duration", ["24h", "3650d", "168h", "7d", "1d1h"])
def test_durations(duration: str) -> None:
    assert loaded(settings=f"shortLived: {duration}").settings.short_lifetime_hours >= 24


@pytest.mark.parametrize("duration", ["23h", "3651d", "168", "7w", "h", "-7d", "1h1d", "7 d", "0x10h", "9999999h"])
def test_no_durations(duration: str) -> None:
    assert refusal(settings=f"shortLived: '{duration}'") == ["hardway.yaml shortLived settings.duration"]


@pytest.mark.parametrize(
    ("options", "where"),
    [
        (Options(keys="rsa"), " --keys field.value"),
        (Options(short_lived="1h"), " --short-lived settings.duration"),
        (Options(comments="all"), " --comments field.value"),
    ],
)
def test_wrong_options(options: Options, where: str) -> None:
    assert refusal(options=options) == [where]


@pytest.mark.parametrize(
    "name",
    ["u:S3CRET@quay.io/x/y:1", "docker://u:S3CRET@quay.io/x/y:1", f"u:S3CRET@quay.io/x/y@sha256:{'0' * 64}"],
)
def test_a_password_in_a_releases_name_is_refused_and_not_shown(name: str) -> None:
    assert refusal(settings=f"release: {name}\n") == ["hardway.yaml release settings.release-password"]
    with pytest.raises(ConfigError) as error:
        loaded(settings=f"release: {name}\n")
    assert "S3CRET" not in str(error.value)


def test_an_unknown_release() -> None:
    assert refusal(settings="release: 4.18.99\n") == ["hardway.yaml release settings.release"]


def test_starting_up_does_not_load_a_crypto_library() -> None:
    code = f"""
import sys
from hardway.model.cluster import Release
from hardway.model.config.load import Inputs, load
load(Inputs(install_config={MINIMAL!r}), lambda v: Release(version=v, image="i", images={{}}))
print(sorted({{"cryptography", "pydantic", "difflib"}} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
