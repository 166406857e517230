"""Proxy, mirrors, trust and FIPS on the bootstrap node, read as their readers read them."""

from __future__ import annotations

import json
import subprocess
import tomllib
from typing import Any

import pytest

from hardway.graph.asset import Asset, Given
from hardway.ignition import host
from hardway.ignition.settings import TABLE
from hardway.model.entropy import SystemEntropy
from hardway.model.why import because
from tests.support.clusters import PROXY, install_config, load_cluster
from tests.support.trees import built

NO_CONTENT = Asset(
    address="ignition/bootstrap",
    stage="08",
    path="bootstrap.ign",
    mode=0o600,
    kind="derived",
    make=lambda given: b"",
    why=because("test"),
)


def given(**changes: Any) -> Given:
    cluster = load_cluster(install_config(**changes)).cluster
    return Given(asset=NO_CONTENT, cluster=cluster, content=lambda address: b"", entropy=SystemEntropy())


def as_root_logs_in(text: str) -> dict[str, str]:
    names = ("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY")
    show = "; ".join(f'echo "${{{name}-unset}}"' for name in names)
    done = subprocess.run(["sh", "-c", f"{text}\n{show}"], env={}, capture_output=True, text=True, check=True)
    return {n: v for n, v in zip(names, done.stdout.splitlines(), strict=True) if v != "unset"}


def as_systemd_reads(text: str) -> dict[str, str]:
    """Quotes and backslashes as in C, then %% for %."""
    head, *lines = text.splitlines()
    assert head == "[Manager]"
    pairs = [json.loads(line.removeprefix("DefaultEnvironment=").split("=", 1)[1]) for line in lines]
    names = [line.removeprefix("DefaultEnvironment=").split("=", 1)[0] for line in lines]
    assert all("%" not in value.replace("%%", "") for value in pairs)
    return {name: value.replace("%%", "%") for name, value in zip(names, pairs, strict=True)}


@pytest.mark.parametrize(
    "proxy",
    [
        PROXY,
        {"httpProxy": "http://us%40er:p%20w@proxy.example.com:3128"},
        {"httpsProxy": "https://user:pa$$word@proxy.example.com:3128"},
    ],
)
def test_services_and_shells_get_the_same_proxy(proxy: dict[str, str]) -> None:
    here = given(proxy=proxy)
    expected = {
        "HTTP_PROXY": proxy.get("httpProxy"),
        "HTTPS_PROXY": proxy.get("httpsProxy"),
        "NO_PROXY": host.proxy_variables(here.cluster)["NO_PROXY"],
    }
    expected = {name: value for name, value in expected.items() if value}
    assert as_root_logs_in(host.login_environment(here)) == expected
    assert as_systemd_reads(host.service_environment(here)) == expected


def test_what_is_inside_the_cluster_never_goes_through_the_proxy() -> None:
    exceptions = set(host.proxy_variables(given(proxy=PROXY).cluster)["NO_PROXY"].split(","))
    assert exceptions == {
        ".cluster.local",
        ".corp",
        ".svc",
        "10.128.0.0/14",
        "127.0.0.1",
        "172.30.0.0/16",
        "192.168.126.0/24",
        "api-int.ocp4.example.com",
        "localhost",
    }


def test_without_a_proxy_nothing_is_set() -> None:
    assert as_systemd_reads(host.service_environment(given())) == {}
    assert host.login_environment(given()) == ""


SOURCES = [
    {"source": "quay.io/b", "mirrors": ["mirror.example.com/b1", "mirror.example.com/b2"]},
    {"source": "quay.io/a", "mirrors": ["mirror.example.com/a"]},
    {"source": "quay.io/b", "mirrors": ["mirror.example.com/b2", "second.example.com/b"]},
    {"source": "quay.io/none", "mirrors": []},
]


@pytest.mark.parametrize("name", ["imageDigestSources", "imageContentSources"])
def test_each_source_is_listed_once_with_its_mirrors_in_order(name: str) -> None:
    read = tomllib.loads(host.mirrors(given(**{name: SOURCES})))
    assert [(r["location"], [m["location"] for m in r["mirror"]]) for r in read["registry"]] == [
        ("quay.io/b", ["mirror.example.com/b1", "mirror.example.com/b2", "second.example.com/b"]),
        ("quay.io/a", ["mirror.example.com/a"]),
    ]
    assert all(r["mirror-by-digest-only"] and not r["insecure"] for r in read["registry"])
    assert not any(m["insecure"] for r in read["registry"] for m in r["mirror"])


def test_without_mirrors_the_file_is_empty() -> None:
    assert host.mirrors(given()) == ""


@pytest.mark.parametrize("policy", ["Proxyonly", "Always"])
def test_the_trust_bundle_is_there_whatever_its_policy(policy: str) -> None:
    bundle = (built().store.read("tls/root-ca.crt") or b"").decode()
    here = given(additionalTrustBundle=bundle, additionalTrustBundlePolicy=policy)
    assert host.trust_anchor(here).split() == bundle.split()
    assert host.trust_anchor(here).endswith("-----END CERTIFICATE-----\n")


def test_without_a_trust_bundle_the_anchor_is_empty() -> None:
    assert host.trust_anchor(given()) == ""


@pytest.mark.parametrize("fips", [True, False])
def test_fips_is_said_before_anything_else_runs(fips: bool) -> None:
    said = json.loads(host.fips(given(fips=fips, sshKey="")))
    assert said["spec"]["fips"] is fips
    assert said["spec"]["config"] == {"ignition": {"version": "3.1.0"}}
    assert said["spec"]["kernelArguments"] == []


def test_only_passwords_and_the_like_are_secret() -> None:
    secret = {row.path for row in TABLE if row.mode == 0o600}
    assert {"/root/.docker/config.json", "/etc/profile.d/proxy.sh"} <= secret
    assert "/etc/containers/registries.conf" not in secret  # rpm-ostree reads it as another user


def test_rows_have_unique_paths_and_one_source_each() -> None:
    assert len({row.path for row in TABLE}) == len(TABLE)
    assert all(bool(row.make) != bool(row.source) for row in TABLE)
