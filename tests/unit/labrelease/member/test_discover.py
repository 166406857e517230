"""Which members a new one is told of."""

from __future__ import annotations

from hardway.labrelease.member import discover

CLUSTER = [
    {"name": "etcd-bootstrap", "peerURLs": ["https://10.0.0.1:2380"]},
    {"peerURLs": ["https://10.0.0.2:2380"]},
    {"peerURLs": ["https://10.0.0.3:2380"]},
]


def test_the_one_that_starts_goes_under_its_own_name_and_others_that_have_not_started_are_left_out():
    found = discover.initial_cluster(CLUSTER, "10.0.0.2", "master-0")
    assert found == "etcd-bootstrap=https://10.0.0.1:2380,master-0=https://10.0.0.2:2380"


def test_there_is_nothing_to_join_before_the_operator_has_added_it():
    assert discover.initial_cluster(CLUSTER, "10.0.0.9", "master-9") == ""


def test_an_address_of_the_sixth_version_is_the_same_with_and_without_brackets():
    members = [{"peerURLs": ["https://[fd00::2]:2380"]}]
    assert discover.initial_cluster(members, "fd00::2", "master-0") == "master-0=https://[fd00::2]:2380"
