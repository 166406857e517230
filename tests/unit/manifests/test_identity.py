"""Who the cluster is: forms, stability, and a password that its own hash accepts."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from uuid import UUID

import bcrypt
import pytest
import yaml

from hardway.graph.build import Builder
from hardway.manifests.identity import PASSWORD_ALPHABET, infra_base
from hardway.workspace.folder import open_workspace
from tests.support.clusters import install_config
from tests.support.entropy import FixedEntropy
from tests.support.manifests import configured, made

PASSWORD = re.compile(r"[a-km-zA-NP-Z2-9]{5}(-[a-km-zA-NP-Z2-9]{5}){3}\Z")
INFRA = re.compile(r"ocp4-[bcdfghjklmnpqrstvwxz2456789]{5}\Z")


def text_of(address, seed):
    return replace(configured("default"), entropy=FixedEntropy(seed), _content={}).content(address).decode()


def test_forms_of_ids_and_password():
    for seed in map(str, range(20)):
        assert UUID(text_of("id/cluster", seed)).version == 4
        assert INFRA.match(text_of("id/infra", seed))
        assert PASSWORD.match(text_of("password/kubeadmin", seed))


def test_every_symbol_is_as_likely_as_any_other():
    passwords = "".join(text_of("password/kubeadmin", str(seed)) for seed in range(400)).replace("-", "")
    counts = Counter(passwords)
    assert set(counts) == set(PASSWORD_ALPHABET)
    expected = len(passwords) / len(PASSWORD_ALPHABET)
    surprise = sum((counts[symbol] - expected) ** 2 / expected for symbol in PASSWORD_ALPHABET)
    assert surprise < 110  # 57 degrees of freedom: one in 30 000


@pytest.mark.parametrize(
    ("name", "base"),
    [
        ("ocp4", "ocp4"),
        ("a.b-c.d", "a-b-c-d"),
        ("a..b", "a-b"),
        ("abcdefghijklmnopqrst-uvw", "abcdefghijklmnopqrst"),
        ("a-very-long-cluster-name-with-many-characters-in-it", "a-very-long-cluster-n"),
    ],
)
def test_infrastructure_names_are_readable_and_short(name, base):
    assert infra_base(name) == base
    assert len(base) + 6 <= 27


def test_the_hash_is_of_the_password_in_the_form_that_go_writes():
    made = configured("default")
    password, hashed = made.content("password/kubeadmin"), made.content("hash/kubeadmin")
    assert hashed.startswith(b"$2a$10$")
    assert len(hashed) == 60
    assert bcrypt.checkpw(password, hashed)
    assert not bcrypt.checkpw(password + b"x", hashed)


def test_metadata_is_what_the_installer_writes():
    made = configured("default")
    cluster, infra = made.content("id/cluster").decode(), made.content("id/infra").decode()
    assert made.content("metadata/cluster").decode() == (
        f'{{"clusterName":"ocp4","clusterID":"{cluster}","infraID":"{infra}","featureSet":"","customFeatureSet":null}}'
    )


def test_metadata_repeats_custom_gates():
    custom = json.loads(configured("custom").content("metadata/cluster"))
    assert custom["featureSet"] == "CustomNoUpgrade"
    assert custom["customFeatureSet"] == {"enabled": ["GatewayAPI"], "disabled": ["NewOLM"]}
    bare = made(featureSet="CustomNoUpgrade")
    assert json.loads(bare.content("metadata/cluster"))["customFeatureSet"] == {}


def build(folder, seed):
    workspace = open_workspace(folder)
    wanted = [a for a in workspace.graph if a.startswith(("id/", "password/", "hash/", "metadata/"))]
    cluster = workspace.loaded.cluster
    Builder(graph=workspace.graph, cluster=cluster, store=workspace.store, entropy=FixedEntropy(seed)).build(wanted)
    return {a: workspace.store.read(workspace.graph[a].path) for a in wanted}


def test_identities_survive_a_second_build_and_only_a_new_name_changes_the_infrastructure_name(tmp_path):
    (tmp_path / "install-config.yaml").write_text(yaml.safe_dump(install_config()))
    first = build(tmp_path, "first")
    assert len(first) == 5
    assert build(tmp_path, "second") == first
    (tmp_path / "install-config.yaml").write_text(yaml.safe_dump(install_config(metadata={"name": "other"})))
    renamed = build(tmp_path, "third")
    assert {a for a in first if first[a] != renamed[a]} == {"id/infra", "metadata/cluster"}
    assert renamed["id/infra"].startswith(b"other-")


def test_identities_are_secret_files_without_a_newline():
    graph = configured("default").graph
    for address in ("id/cluster", "id/infra", "password/kubeadmin", "hash/kubeadmin", "metadata/cluster"):
        assert graph[address].mode == 0o600
        assert not configured("default").content(address).endswith(b"\n")
