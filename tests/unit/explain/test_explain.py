"""The atlas: every row has one address, every address has an explanation, and a near miss finds its way."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from click.testing import CliRunner

from hardway.cli.explain import explain
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


def test_a_line_of_a_log_affects_programs_and_a_check_is_needed_by_them(workspace):
    a_line = as_text(explain_address(workspace, "check/log.expired"))
    a_file = as_text(explain_address(workspace, "check/pki.chain"))
    assert "\n  affected    bootkube.sh and every master\n  you see     x509: certificate has expired\n" in a_line
    assert "\n  needed by   every component" in a_file
    assert "\n  if it fails clients and servers refuse the certificate" in a_file


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
        (
            "flag/kube-apiserver/--etcd-server",
            "did you mean flag/kube-apiserver/--etcd-servers? `hardway explain flag/kube-apiserver/` lists",
        ),
        (
            "flag/kube-apiserver/--nosuch",
            "called flag/kube-apiserver/--nosuch.\n    fix: `hardway explain flag/kube-apiserver/` lists what there is",
        ),
        ("check/pki.prsent", "did you mean check/pki.present"),
        ("flag/kube-apiserver", "fix: `hardway explain flag/kube-apiserver/` lists them"),
        ("cert", "fix: `hardway explain cert/` lists them"),
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


@pytest.mark.parametrize("kind", [*atlas.CHARTS, "flag/kube-apiserver", "difference/rendered"])
def test_a_prefix_with_a_slash_lists_what_is_there(workspace, kind):
    done = CliRunner().invoke(explain, [f"{kind}/", "-o", "json"], obj=workspace.folder)
    assert done.exit_code == 0, done.output
    found = [row["address"] for row in json.loads(done.output)]
    assert found == [entry.address for entry in atlas.listed(workspace, f"{kind}/")]
    assert all(address.startswith(f"{kind}/") for address in found)


def test_a_key_has_a_reason_of_its_own(workspace):
    keys = [e for e in atlas.entries(workspace, ["key"]) if not e.address.startswith("key/ssh-")]
    others = {e.why.what for e in atlas.entries(workspace, ["cert", "pub"])}
    assert keys
    for entry in keys:
        name = entry.address.removeprefix("key/")
        owner = next(a for a in (f"cert/{name}", f"pub/{name}") if a in workspace.graph)
        text = " ".join(as_text(explain_address(workspace, entry.address)).split())
        assert entry.why.what not in others
        assert f"The private key of {owner}. Anyone who has it can " in text
        assert f"file assets/tls/{name}.key" in text
        assert "mode 0600: " in text
        assert (workspace.store.root / "tls" / f"{name}.key").stat().st_mode & 0o777 == 0o600


def test_a_key_on_the_bootstrap_node_has_the_reason_of_the_key(workspace):
    found = explain_address(workspace, "file/bootstrap:/etc/kubernetes/bootstrap-secrets/kubelet-signer.key")
    assert found.why.what == explain_address(workspace, "key/kubelet-signer").why.what


def test_the_glossary_points_to_things_that_exist(workspace):
    known = [entry.address for entry in atlas.entries(workspace)]
    wrong = [
        (term.name, address)
        for term in glossary.TERMS
        for address in term.also
        if not any(one == address or (address.endswith("/") and one.startswith(address)) for one in known)
    ]
    assert wrong == []
