"""What a turn has seen, as rows, and as the file that a page reads."""

from __future__ import annotations

import json
from dataclasses import fields, replace

import pytest

from hardway.drive import objects, sight
from hardway.drive.csr.parse import parse
from hardway.drive.observation import PodSeen
from hardway.drive.sight import FILE, Sight, read
from hardway.io.links import LinkError
from tests.support.requests import client_request, serving_request
from tests.unit.drive.test_decide import CLUSTER, GROWN, MASTERS

SIGNED = {"status": {"conditions": [{"type": "Approved", "status": "True"}], "certificate": "eA=="}}
SEEN = replace(
    GROWN,
    pods={
        "openshift-kube-apiserver/kube-apiserver-master-0": PodSeen(ready=True),
        "openshift-etcd/etcd-master-0": PodSeen(ready=False, reason="ImagePullBackOff"),
    },
    manifests={
        "bootstrap": frozenset({"etcd-member-pod.yaml"}),
        "master-0": frozenset({"kube-apiserver-pod.yaml", "etcd-pod.yaml"}),
    },
    leases={"kube-system/kube-scheduler": "master-1_0a1b", "kube-system/kube-controller-manager": ""},
    requests=(
        parse({**client_request(MASTERS[1], "csr-b"), **SIGNED}),
        parse(serving_request(MASTERS[0], "csr-a")),
    ),
)


def rows(several):
    return [(row.name, row.place, row.state) for row in several]


def test_everything_has_its_state():
    found = sight.sight(SEEN, CLUSTER)
    assert ("master-0", MASTERS[0].address, "on, Ready") in rows(found.nodes)
    assert ("worker-0", CLUSTER.workers[0].address, "off") in rows(found.nodes)
    assert [row.state for row in found.members] == ["leader", "voter", "voter", "voter"]
    assert rows(found.pods) == [
        ("etcd-member", "bootstrap", sight.UNREPORTED),
        ("etcd", "master-0", "not Ready: ImagePullBackOff"),
        ("kube-apiserver", "master-0", "Ready"),
    ]
    assert rows(found.leases) == [
        ("kube-system/kube-controller-manager", "", sight.NOBODY),
        ("kube-system/kube-scheduler", "", "master-1"),
    ]
    assert rows(found.requests) == [
        ("csr-a", "master-0", "serving: pending"),
        ("csr-b", "master-1", "client: signed"),
    ]
    assert rows(found.backends) == [("bootstrap", "", "up")]


def test_leases_of_leaders_are_told_from_signs_of_life():
    def lease(space, name, **labels):
        return {"metadata": {"namespace": space, "name": name, "labels": labels}, "spec": {"holderIdentity": "x"}}

    every = [
        lease("kube-node-lease", "master-0"),
        lease("kube-system", "apiserver-1", **{objects.SERVER: "kube-apiserver"}),
        lease("kube-system", "kube-scheduler"),
    ]
    assert objects.leases(every) == {"kube-system/kube-scheduler": "x"}


def test_what_was_seen_last_is_kept_and_written_only_when_it_changes(tmp_path):
    look = sight.keeping(tmp_path, CLUSTER)
    assert sight.read(tmp_path) is None
    look(SEEN)
    first = (tmp_path / sight.FILE).stat().st_ino
    look(SEEN)
    assert (tmp_path / sight.FILE).stat().st_ino == first
    look(replace(SEEN, leases={}))
    assert sight.read(tmp_path) == sight.sight(replace(SEEN, leases={}), CLUSTER)


@pytest.mark.parametrize("text", ["", "{", "{}", "7", '{"nodes": [7]}', '{"nodes": [{"name": "a"}]}'])
def test_a_damaged_file_says_nothing(tmp_path, text):
    (tmp_path / sight.FILE).write_text(text)
    assert sight.read(tmp_path) is None


ROW = {"name": "a", "place": "b", "state": "c"}


@pytest.mark.parametrize("field", [row.name for row in fields(Sight)])
@pytest.mark.parametrize("value", [5, {}, [1], None, "\ud800"])
@pytest.mark.parametrize("key", ROW)
def test_a_damaged_row_is_as_if_nobody_had_looked(tmp_path, field, value, key):
    sound = {row.name: [ROW] for row in fields(Sight)}
    (tmp_path / FILE).write_text(json.dumps(sound))
    assert read(tmp_path) is not None
    (tmp_path / FILE).write_text(json.dumps(sound | {field: [ROW | {key: value}]}))
    assert read(tmp_path) is None


def test_a_file_that_is_nested_without_end_is_damaged(tmp_path):
    (tmp_path / FILE).write_text("[" * 200_000)
    assert read(tmp_path) is None


def test_a_folder_that_is_a_link_is_not_followed(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / FILE).write_text("{}")
    (tmp_path / "here").symlink_to("there")
    with pytest.raises(LinkError):
        read(tmp_path / "here")
