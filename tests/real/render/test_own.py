"""The user's own documents in the real render: what the machine-config operator makes of them."""

from __future__ import annotations

import json
from base64 import b64decode

import pytest
import yaml

from hardway.ignition.base import read_base
from hardway.lines.default import DEFAULT
from hardway.manifests.partitioning import CRIO, KUBELET
from tests.support.hardway_program import hardway
from tests.support.own import config_map, machine_config, text

POLICY = {
    "apiVersion": "config.openshift.io/v1alpha1",
    "kind": "ClusterImagePolicy",
    "metadata": {"name": "own"},
    "spec": {
        "scopes": ["registry.example.com/own"],
        "policy": {
            "rootOfTrust": {"policyType": "PublicKey", "publicKey": {"keyData": "a2V5Cg=="}},
            "signedIdentity": {"matchPolicy": "MatchRepoDigestOrExact"},
        },
    },
}


def build(folder, *words):
    done = hardway("-C", folder, "build", *words, "-o", "json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def put(folder, *documents):
    (folder / "manifests").mkdir(exist_ok=True)
    (folder / "manifests/50-own.yaml").write_text(text(*documents))


def change(folder, **fields):
    config = yaml.safe_load((folder / "install-config.yaml").read_text()) | fields
    (folder / "install-config.yaml").write_text(yaml.safe_dump(config))


def file_of(base, path):
    [entry] = [e for e in base.section("storage", "files") if e["path"] == path]
    header, _, data = entry["contents"]["source"].partition(",")
    return b64decode(data).decode() if header.endswith("base64") else data


def findings(folder, *stages):
    return {
        (f["check"], f["severity"])
        for f in json.loads(hardway("-C", folder, "verify", *stages, "-o", "json").stdout)["findings"]
    }


def test_a_machine_config_is_rendered_and_leaves_again(copied):
    before = {pool: base.name for pool, base in read_base(copied / "assets/mco", DEFAULT).items()}
    put(copied, machine_config(kernelArguments=["audit=1"]), config_map())
    assert build(copied)["release"]["render"] == "made"
    after = read_base(copied / "assets/mco", DEFAULT)
    assert after["master"].name == before["master"]
    assert file_of(after["worker"], "/etc/motd.d/own") == "hello"
    assert "audit=1" in after["worker"].machine_config["spec"]["kernelArguments"]
    assert "/etc/motd.d/own" in (copied / "assets/worker-0.ign").read_text()
    assert findings(copied) == {("manifest.pull-secret", "warning")}
    again = build(copied)
    assert (again["made"], again["release"]["render"]) == ({}, "kept")
    (copied / "manifests/50-own.yaml").unlink()
    build(copied)
    assert {pool: base.name for pool, base in read_base(copied / "assets/mco", DEFAULT).items()} == before


def test_a_render_from_before_the_document_is_found(copied):
    put(copied, machine_config())
    build(copied, "07")
    assert ("own.rendered", "error") in findings(copied, "08")


def test_cpu_partitioning_is_rendered_for_both_pools(copied):
    change(copied, cpuPartitioningMode="AllNodes")
    assert build(copied)["release"]["render"] == "made"
    for base in read_base(copied / "assets/mco", DEFAULT).values():
        assert [file_of(base, path) for path, _ in (KUBELET, CRIO)] == [content for _, content in (KUBELET, CRIO)]


@pytest.mark.parametrize("features", ["", "TechPreviewNoUpgrade"])
def test_an_image_policy_reaches_the_render(copied, features):
    change(copied, featureSet=features)
    put(copied, POLICY)
    build(copied)
    for base in read_base(copied / "assets/mco", DEFAULT).values():
        assert ("registry.example.com/own" in file_of(base, "/etc/containers/policy.json")) == bool(features)


def test_what_the_operator_refuses_is_told_in_its_words(copied):
    wrong = machine_config()
    wrong["spec"]["config"]["storage"]["raid"] = [{"name": "data", "level": "raid9", "devices": ["/dev/vdb"]}]
    put(copied, wrong)
    done = hardway("-C", copied, "build")
    assert done.returncode == 3
    assert "MCO's render" in done.stderr
