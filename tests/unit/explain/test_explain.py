"""The atlas: every row has one address, every address has an explanation, and a near miss finds its way."""

from __future__ import annotations

from collections import Counter

import pytest

from hardway.explain import atlas, glossary
from hardway.explain.explanation import explain_address
from hardway.explain.text import as_text
from hardway.model.errors import ConfigError
from tests.support.trees import built


@pytest.fixture(scope="module")
def workspace():
    return built("default")


@pytest.mark.parametrize("variant", ["default", "single", "mirrors"])
def test_every_address_of_the_graph_is_explained(variant):
    workspace = built(variant)
    known = {entry.address for entry in atlas.entries(workspace)}
    assert [address for address in workspace.graph if address not in known] == []
    for address, asset in workspace.graph.items():
        assert explain_address(workspace, address).path == asset.path


def test_every_address_is_there_once_and_every_kind_has_some(workspace):
    found = Counter(entry.address for entry in atlas.entries(workspace))
    assert [address for address, count in found.items() if count > 1] == []
    assert {atlas.kind_of(address) for address in found} == set(atlas.CHARTS)


def test_every_entry_says_what_it_is_and_fits_its_labels(workspace):
    for entry in atlas.entries(workspace):
        assert entry.why.what, entry.address
        assert all(len(label) < 12 for label, _ in entry.facts), entry.address


def test_an_address_is_never_broken(workspace):
    for name in ("cert/root-ca", "failure/F06", "stage/05-pki"):
        for line in as_text(explain_address(workspace, name)).splitlines():
            assert not line.rstrip().endswith("-"), line


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("05", "stage/05-pki"),
        ("5", "stage/05-pki"),
        ("stage/5", "stage/05-pki"),
        ("f08", "failure/F08"),
        ("F8", "failure/F08"),
        ("failure/f08", "failure/F08"),
        ("CERT/ROOT-CA", "cert/root-ca"),
        ("pki.chain", "check/pki.chain"),
        ("etcd-grown", "milestone/etcd-grown"),
        ("scc", "term/scc"),
        ("cluster-dns-02-config.yml#spec.basedomain", "field/cluster-dns-02-config.yml#spec.baseDomain"),
    ],
)
def test_a_short_name_is_taken_where_it_means_one_thing(workspace, name, meant):
    assert atlas.find(workspace, name).address == meant


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("root-ca", "root-ca is the name of several things.\n    fix: name one of them: key/root-ca, cert/root-ca"),
        ("KUBE-APISERVER", "pod/kube-apiserver, operator/kube-apiserver"),
        ("cert/rot-ca", "there is nothing called cert/rot-ca.\n    fix: did you mean cert/root-ca"),
        ("root-caa", "did you mean key/root-ca"),
        ("f99", "there is nothing called f99"),
        ("77", "there is nothing called 77"),
    ],
)
def test_a_near_miss_is_suggested(workspace, name, message):
    with pytest.raises(ConfigError) as caught:
        atlas.find(workspace, name)
    assert message in str(caught.value)


def test_what_can_only_be_a_file_is_left_to_the_files(workspace):
    assert atlas.find(workspace, "assets/tls/nothing.crt") is None


def test_a_list_begins_with_its_prefix(workspace):
    found = [entry.address for entry in atlas.listed(workspace, "cert/kube-apiserver-")]
    assert "cert/kube-apiserver-lb-signer" in found
    assert all(address.startswith("cert/kube-apiserver-") for address in found)
    assert {atlas.kind_of(e.address) for e in atlas.listed(workspace, "cert")} == {"cert"}
    with pytest.raises(ConfigError, match="no address begins with certificate"):
        atlas.listed(workspace, "certificate")


def test_the_glossary_points_to_things_that_exist(workspace):
    known = [entry.address for entry in atlas.entries(workspace)]
    wrong = [
        (term.name, address)
        for term in glossary.TERMS
        for address in term.also
        if not any(one == address or (address.endswith("/") and one.startswith(address)) for one in known)
    ]
    assert wrong == []
