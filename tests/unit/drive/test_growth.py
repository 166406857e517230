"""The next step of etcd from every picture of its growth, and that no order of deaths leads to two learners."""

from __future__ import annotations

from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardway.drive.etcd import Member, Status
from hardway.drive.growth import View, decide
from hardway.staticpods.masters import member_name, peer_url
from tests.support.clusters import install_config, load_cluster, without_operators

CLUSTER = without_operators()
BOOTSTRAP, MASTERS = CLUSTER.bootstrap, CLUSTER.masters


def member(node, *, learner=False, started=True):
    return Member(
        id=node.index + (1 if node.role == "bootstrap" else 10),
        name=member_name(node) if started else "",
        peers=(peer_url(CLUSTER, node),),
        learner=learner,
    )


def view(*members, index=None, ill=(), leader=1, complete=False):
    statuses = {
        m.id: Status(id=m.id, leader=leader, index=(index or {}).get(m.id, 100), applied=100, learner=m.learner)
        for m in members
        if m.started and m.id not in ill
    }
    return View(members=members, statuses=statuses, complete=complete)


FIRST = member(BOOTSTRAP)
ALL = (FIRST, *(member(n) for n in MASTERS))


@pytest.mark.parametrize(
    ("picture", "kind", "node"),
    [
        (view(), "wait", ""),
        (view(FIRST), "add", "master-0"),
        (view(FIRST, ill={1}), "wait", "master-0"),
        (view(FIRST, member(MASTERS[0], learner=True, started=False)), "start", "master-0"),
        (view(FIRST, member(MASTERS[0], learner=True), index={10: 50}), "wait", "master-0"),
        (view(FIRST, member(MASTERS[0], learner=True), ill={10}), "wait", "master-0"),
        (view(FIRST, member(MASTERS[0], learner=True), leader=0), "wait", "master-0"),
        (view(FIRST, member(MASTERS[0], learner=True)), "promote", "master-0"),
        (view(FIRST, member(MASTERS[0])), "add", "master-1"),
        (view(FIRST, member(MASTERS[0]), ill={10}), "wait", "master-1"),
        (view(FIRST, member(MASTERS[0]), member(MASTERS[2])), "add", "master-1"),
        (view(*ALL), "wait", ""),
        (view(*ALL, complete=True), "move-leader", "master-0"),
        (view(*ALL, complete=True, leader=11), "remove", "bootstrap"),
        (view(*ALL, complete=True, leader=11, ill={1}), "remove", "bootstrap"),
        (view(*ALL, complete=True, leader=11, ill={12}), "wait", ""),
        (view(*ALL[1:], leader=11, complete=True), "done", ""),
        (view(*ALL[1:], leader=11, ill={12}), "wait", ""),
        (view(FIRST, Member(id=99, name="stranger", peers=("https://192.0.2.1:2380",))), "stuck", ""),
        (view(FIRST, Member(id=99, name="", peers=("https://192.0.2.1:2380",))), "stuck", ""),
    ],
)
def test_each_picture_has_its_step(picture, kind, node):
    step = decide(picture, CLUSTER)
    assert (step.kind, step.node) == (kind, node)
    assert step.why


def test_a_starting_member_is_told_of_all_and_of_itself():
    step = decide(view(FIRST, member(MASTERS[0]), member(MASTERS[1], learner=True, started=False)), CLUSTER)
    assert sorted(step.initial_cluster.split(",")) == [
        "etcd-bootstrap=https://192.168.126.100:2380",
        "master-0=https://etcd-0.ocp4.example.com:2380",
        "master-1=https://etcd-1.ocp4.example.com:2380",
    ]


def test_a_single_master_takes_over_alone():
    cluster = load_cluster(install_config(masters=1, workers=0)).cluster
    both = (member(cluster.bootstrap), member(cluster.masters[0]))
    assert decide(view(*both), cluster).kind == "wait"
    assert decide(view(*both, complete=True, leader=10), cluster).kind == "remove"
    assert decide(view(both[1], leader=10, complete=True), cluster).kind == "done"


class Store:
    """etcd's rules of membership in a few lines: what a step does, and who may be dead meanwhile."""

    def __init__(self) -> None:
        self.members, self.ids, self.complete = [FIRST], count(100), False

    def carry_out(self, step) -> None:
        node = next((n for n in (BOOTSTRAP, *MASTERS) if n.name == step.node), None)
        if step.kind == "add":
            self.members.append(Member(id=next(self.ids), name="", peers=(step.peer,), learner=True))
        elif step.kind in ("start", "promote"):
            learner = step.kind == "start"
            new = Member(id=step.member, name=member_name(node), peers=(peer_url(CLUSTER, node),), learner=learner)
            self.members = [new if m.id == step.member else m for m in self.members]
        elif step.kind == "remove":
            self.members = [m for m in self.members if m.id != step.member]


@settings(max_examples=30)
@given(st.data())
def test_whoever_dies_and_comes_back_it_ends_with_one_member_a_master(data):
    store, leader = Store(), 1
    for turn in count():
        voters = [m for m in store.members if m.started and not m.learner]
        ill = data.draw(st.sets(st.sampled_from([m.id for m in store.members]))) if turn < 40 else set()
        store.complete = store.complete or turn > 20
        if leader not in {m.id for m in voters}:
            leader = voters[-1].id
        step = decide(view(*store.members, ill=ill, leader=leader, complete=store.complete), CLUSTER)
        if step.kind == "move-leader":
            leader = step.member
        store.carry_out(step)
        assert sum(not m.started for m in store.members) <= 1
        assert sum(m.learner for m in store.members) <= 1
        well = [m for m in store.members if not m.learner and m.started and m.id not in ill]
        if step.kind == "remove":
            assert len(well) == len(MASTERS)
            assert store.complete
        if step.kind == "done":
            break
    assert [m.name for m in store.members] == [n.name for n in MASTERS]
