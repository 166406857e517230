"""The engine, on a graph small enough to see through."""

from __future__ import annotations

import json

import pytest

from hardway.graph.asset import Asset, Graph
from hardway.graph.build import REISSUED, Builder
from hardway.graph.store import Store
from hardway.model.errors import ToolError
from hardway.model.why import because
from tests.support.clusters import install_config, load_cluster
from tests.support.entropy import FixedEntropy

WHY = because("test", readers="test", breaks="test", source="test")


def toy(address, make, *, needs=(), kind="derived", params=None, stage="05", cost=0):
    return Asset(
        address=address,
        stage=stage,
        path=address.replace("/", "-"),
        mode=0o600,
        kind=kind,
        make=make,
        why=WHY,
        needs=needs,
        params=params,
        cost=cost,
    )


def graph(**params):
    return Graph(
        [
            toy("key/a", lambda g: g.entropy.random("a", 8), kind="origin", cost=1),
            toy("cert/a", lambda g: b"cert:" + g["key/a"], needs=("key/a",), kind="issued", params=params.get("cert")),
            toy("doc/name", lambda g: g.cluster.name.encode()),
            toy("doc/all", lambda g: g["cert/a"] + g["doc/name"], needs=("cert/a", "doc/name")),
        ]
    )


def builder(store, a_graph=None, loaded=None, seed="one", **more):
    cluster = (loaded or load_cluster()).cluster
    return Builder(graph=a_graph or graph(), cluster=cluster, store=store, entropy=FixedEntropy(seed), **more)


def test_a_second_build_makes_nothing(tmp_path):
    first = builder(Store(tmp_path / "s")).build(graph())
    again = builder(Store(tmp_path / "s"), seed="two").build(graph())
    assert list(first.made) == ["doc/name", "key/a", "cert/a", "doc/all"]  # what needs no key does not wait for one
    assert again.made == {}
    assert again.kept == ["doc/name", "key/a", "cert/a", "doc/all"]


def test_only_what_read_a_changed_fact_is_made_again(tmp_path):
    builder(Store(tmp_path / "s")).build(graph())
    renamed = load_cluster(install_config(metadata={"name": "other"}))
    outcome = builder(Store(tmp_path / "s"), loaded=renamed).build(graph())
    assert outcome.made == {"doc/name": "name changed in the configuration", "doc/all": "doc/name changed"}


def test_a_fact_nobody_read_changes_nothing(tmp_path):
    builder(Store(tmp_path / "s")).build(graph())
    outcome = builder(Store(tmp_path / "s"), loaded=load_cluster(install_config(workers=3))).build(graph())
    assert outcome.made == {}


def test_changed_parameters_remake_and_take_dependants_along(tmp_path):
    builder(Store(tmp_path / "s")).build(graph())
    outcome = builder(Store(tmp_path / "s"), graph(cert="other")).build(graph())
    assert outcome.made == {"cert/a": "content changed"}  # its content did not change, so doc/all stays


def test_rotation_is_the_only_way_to_replace_a_key(tmp_path):
    builder(Store(tmp_path / "s")).build(graph())
    key = (tmp_path / "s/key-a").read_bytes()
    builder(Store(tmp_path / "s"), graph(cert="other"), seed="two").build(graph())
    assert (tmp_path / "s/key-a").read_bytes() == key
    outcome = builder(Store(tmp_path / "s"), seed="two").build(graph(), rotate=frozenset({"key/a"}))
    assert (tmp_path / "s/key-a").read_bytes() != key
    assert outcome.made["cert/a"] == "content changed" or outcome.made["cert/a"] == "key/a changed"
    assert outcome.made["doc/all"] == "cert/a changed"


def test_a_missing_file_is_made_again(tmp_path):
    builder(Store(tmp_path / "s")).build(graph())
    (tmp_path / "s/doc-name").unlink()
    assert builder(Store(tmp_path / "s")).build(graph()).made == {"doc/name": "its file is missing"}


def test_a_file_edited_by_hand_is_put_aside(tmp_path):
    builder(Store(tmp_path / "s")).build(graph())
    (tmp_path / "s/doc-name").write_text("mine")
    outcome = builder(Store(tmp_path / "s")).build(graph())
    assert outcome.made == {"doc/name": "its file was changed by hand"}
    assert outcome.saved == {"edited/doc-name": "it had been changed by hand"}
    assert (tmp_path / "s/edited/doc-name").read_text() == "mine"
    assert (tmp_path / "s/doc-name").read_text() == "ocp4"


FAULTS = {"missing": ("", "is missing"), "damaged": ("garbage\n", "is damaged: 1 of its lines cannot be read")}


def lose_record(root, fault):
    (root / ".hardway.jsonl").unlink()
    if FAULTS[fault][0]:
        (root / ".hardway.jsonl").write_text(FAULTS[fault][0])


def planted(root, **fields):
    line = {"address": "cert/old", "path": "old", "content": "0", "stamp": {}} | fields
    with (root / ".hardway.jsonl").open("a") as record:
        record.write(f"{json.dumps(line)}\n")


@pytest.mark.parametrize(
    "fields",
    [
        {"path": "a\ud800b"},
        {"path": "a" * 5000},
        {"path": "/".join("a" * 1000)},
        {"path": "a" * 256},
        {"path": ["a"]},
        {"address": "cert/\u202e"},
        {"content": 5},
        {"stamp": {"a": ["b"]}},
        {"stamp": {"\ud800": "b"}},
    ],
    ids=lambda fields: ascii(fields)[:40],
)
def test_a_line_of_the_record_that_nobody_wrote_here_is_damage(tmp_path, fields):
    root = tmp_path / "s"
    builder(Store(root)).build(graph())
    planted(root, **fields)
    assert builder(Store(root)).fault() == "is damaged: 1 of its lines cannot be read"
    assert builder(Store(root)).build(graph()).removed == []
    assert builder(Store(root)).fault() == ""


def test_a_folder_that_the_record_names_is_not_removed(tmp_path):
    root = tmp_path / "s"
    builder(Store(root)).build(graph())
    (root / "tls").mkdir()
    planted(root, path="tls")
    assert builder(Store(root)).build(graph()).removed == []
    assert (root / "tls").is_dir()
    assert Store(root).entry("cert/old") is None


@pytest.mark.parametrize("fault", FAULTS)
def test_without_a_record_what_differs_is_put_aside(tmp_path, fault):
    root = tmp_path / "s"
    builder(Store(root)).build(graph())
    (root / "doc-name").write_text("mine")
    lose_record(root, fault)
    key = (root / "key-a").read_bytes()
    assert builder(Store(root)).fault() == FAULTS[fault][1]
    assert builder(Store(root)).plan(graph())["doc/name"] == "no record says what its file was made from"
    outcome = builder(Store(root), seed="two").build(graph())
    assert outcome.fault == FAULTS[fault][1]
    assert outcome.saved == {"edited/doc-name": "it differs from what was built, and no record says why"}
    assert (root / "edited/doc-name").read_text() == "mine"
    assert (root / "key-a").read_bytes() == key
    assert builder(Store(root)).build(graph()).fault == ""


def test_without_a_record_what_contains_a_new_certificate_is_told_apart(tmp_path):
    root = tmp_path / "s"
    builder(Store(root)).build(graph())
    (root / "cert-a").write_text("issued before")
    (root / "doc-all").write_text("with a certificate issued before")
    lose_record(root, "missing")
    saved = builder(Store(root)).build(graph()).saved
    assert saved == dict.fromkeys(("edited/cert-a", "edited/doc-all"), REISSUED)


@pytest.mark.parametrize("fault", FAULTS)
def test_without_a_record_a_key_that_other_files_were_made_from_is_not_replaced(tmp_path, fault):
    root = tmp_path / "s"
    builder(Store(root)).build(graph())
    (root / "key-a").unlink()
    (root / "cert-a").unlink()  # doc/all was made from it and is there
    lose_record(root, fault)
    builder(Store(root)).build(["doc/name"])  # a record that knows a part of the files
    with pytest.raises(ToolError, match=r"missing now:\n.*key-a\n.*--rotate missing"):
        builder(Store(root), seed="two").build(graph())
    assert not (root / "key-a").exists()


def test_a_first_build_has_no_fault(tmp_path):
    assert builder(Store(tmp_path / "s")).build(graph()).fault == ""


def test_what_left_the_plan_is_removed_but_what_is_spared_stays(tmp_path):
    builder(Store(tmp_path / "s")).build(graph())
    smaller = Graph([toy("doc/name", lambda g: g.cluster.name.encode())])
    outcome = builder(Store(tmp_path / "s"), smaller, spared=lambda a: a.startswith("key/")).build(smaller)
    assert sorted(outcome.removed) == ["cert-a", "doc-all"]
    assert (tmp_path / "s/key-a").exists()


def test_a_plan_says_what_a_build_does_and_changes_nothing(tmp_path):
    plan = builder(Store(tmp_path / "s")).plan(graph())
    assert not (tmp_path / "s").exists()
    outcome = builder(Store(tmp_path / "s")).build(graph())
    assert set(plan) == set(outcome.made)


def test_reading_what_was_not_declared_is_a_bug():
    undeclared = Graph([toy("doc/a", lambda g: b"a"), toy("doc/b", lambda g: g["doc/a"])])
    with pytest.raises(KeyError, match="not declared"):
        builder(Store.__new__(Store), undeclared)._given(undeclared["doc/b"])["doc/a"]


def test_a_circle_is_refused():
    with pytest.raises(ValueError, match="circle"):
        Graph([toy("doc/a", lambda g: b"", needs=("doc/b",)), toy("doc/b", lambda g: b"", needs=("doc/a",))])


def test_addresses_and_paths_are_unique():
    with pytest.raises(ValueError, match="same address"):
        Graph([toy("doc/a", lambda g: b""), toy("doc/a", lambda g: b"")])
    with pytest.raises(ValueError, match="same path"):
        Graph([toy("doc/a", lambda g: b""), toy("doc-a", lambda g: b"")])


def test_what_is_made_in_a_process_of_its_own_needs_nothing():
    with pytest.raises(ValueError, match="may need nothing"):
        Graph([toy("doc/a", lambda g: b""), toy("key/b", lambda g: b"", needs=("doc/a",), cost=1)])


def test_other_code_makes_derived_files_anew_and_nothing_else(tmp_path):
    builder(Store(tmp_path / "s"), code="one").build(graph())
    outcome = builder(Store(tmp_path / "s"), code="two").build(graph())
    assert outcome.made == dict.fromkeys(("doc/name", "doc/all"), "hardway itself changed")


def test_a_half_written_record_line_loses_only_that_line(tmp_path):
    builder(Store(tmp_path / "s")).build(graph())
    record = tmp_path / "s/.hardway.jsonl"
    record.write_text(record.read_text() + '{"address": "doc/na')
    store = Store(tmp_path / "s")
    outcome = builder(store).build(graph())
    assert (outcome.made, outcome.fault) == ({}, "")


def test_files_and_folders_have_their_modes_whatever_the_umask(tmp_path):
    import os
    import stat

    old = os.umask(0)
    try:
        builder(Store(tmp_path / "s")).build(graph())
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "s").stat().st_mode) == 0o700
    assert {stat.S_IMODE(p.stat().st_mode) for p in (tmp_path / "s").iterdir()} == {0o600}
