"""The same release from registries that ask for a login, speak TLS under a private authority, or mirror another."""

from __future__ import annotations

import json

import pytest

from hardway.labrelease.push import Target
from tests.support.clusters import PULL_SECRET
from tests.support.hardway_program import hardway
from tests.support.lab.release import cluster_folder, empty_store
from tests.support.registry import server as registry
from tests.support.registry.tls import Authority


def merged(*secrets):
    return json.dumps({"auths": {key: value for s in secrets for key, value in json.loads(s)["auths"].items()}})


def build(folder):
    """With nothing in the cache: what is known by its digest is not asked for again."""
    return hardway("-C", folder, "build", "04", "-o", "json", XDG_CACHE_HOME=str(folder.parent / "cache"))


@pytest.fixture(scope="module", autouse=True)
def nothing_pulled(served):
    """podman has to get layers too from the first of these registries, not from what other tests have left."""
    with empty_store():
        yield


@pytest.fixture(scope="module")
def guarded(served, tmp_path_factory):
    """A registry that only one who knows the password may use."""
    place = tmp_path_factory.mktemp("guarded")

    def target(host):
        (place / "auth.json").write_text(registry.pull_secret(host))
        return Target(authfile=place / "auth.json", insecure=True)

    return served.serve(target, **registry.with_passwords(place / "passwords"))


def test_with_a_login(guarded, tmp_path):
    secret = merged(PULL_SECRET, registry.pull_secret(guarded.host))
    folder = cluster_folder(tmp_path / "c", guarded.settings, pullSecret=secret)
    done = build(folder)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["release"]["render"] == "made"
    done = hardway("-C", folder, "verify", "04", "-o", "json")
    assert json.loads(done.stdout)["findings"] == []


@pytest.mark.parametrize("password", ["", "wrong-guess"])
def test_without_one_that_is_good(guarded, tmp_path, password):
    theirs = registry.pull_secret(guarded.host, password=password) if password else '{"auths":{}}'
    folder = cluster_folder(tmp_path / "c", guarded.settings, pullSecret=merged(PULL_SECRET, theirs))
    done = build(folder)
    assert done.returncode == 3
    assert guarded.host in done.stderr
    assert "401" in done.stderr
    assert registry.PASSWORD not in done.stderr
    assert "wrong-guess" not in done.stderr
    assert not (folder / "assets").exists()


def test_tls_under_a_private_authority(served, tmp_path):
    authority = Authority()
    (tmp_path / "ca.crt").write_bytes(authority.pem)
    private = served.serve(lambda _: Target(authority=tmp_path / "ca.crt"), **authority.tls(tmp_path / "tls"))
    trusting = {"additionalTrustBundle": authority.pem.decode(), "additionalTrustBundlePolicy": "Always"}
    folder = cluster_folder(tmp_path / "c", {"release": private.built.pull_spec}, **trusting)
    done = build(folder)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["release"]["render"] == "made"
    stranger = cluster_folder(tmp_path / "other" / "c", {"release": private.built.pull_spec})
    refused = build(stranger)
    assert refused.returncode == 3
    assert "additionalTrustBundle" in refused.stderr


def test_a_mirror(served, tmp_path):
    """Every name leads to a registry that does not exist; only the mirror makes the release readable."""
    source = "registry.example.com/ocp/release"
    mirror = served.serve(lambda _: Target(insecure=True), names=source)
    sources = [{"source": source, "mirrors": [f"{mirror.host}/hardway"]}]
    folder = cluster_folder(tmp_path / "c", mirror.settings, imageDigestSources=sources)
    done = build(folder)
    assert done.returncode == 0, done.stderr
    release = json.loads(done.stdout)["release"]
    assert release["image"] == f"{source}@{mirror.built.digest}"
    assert release["render"] == "made"
