"""Four real etcd members from the emitted pods: from one to four to three, while somebody writes all the time."""

from __future__ import annotations

import json
import threading
import time
from base64 import b64decode, b64encode
from contextlib import contextmanager

from hardway.drive.client import Trouble
from hardway.drive.etcd import CLIENT_PORT
from hardway.drive.growth import Step, View, decide
from hardway.drive.wire import Answer, Endpoint, Wire
from tests.support.etcd_servers import (
    etcd_at,
    identity,
    start_bootstrap,
    start_member,
    status_of,
)
from tests.support.netns import inside
from tests.support.node_roots import nodes
from tests.support.trees import built_now
from tests.support.waiting import until

WORKSPACE = built_now(keys="ecdsa-p256", operators=())  # the masters' etcd is made by hand
CLUSTER = WORKSPACE.loaded.cluster
ALL = (CLUSTER.bootstrap, *CLUSTER.masters)
BY_NAME = {n.name: n for n in ALL}


def text(value: str) -> str:
    return b64encode(value.encode()).decode()


def wire(*members) -> Wire:
    endpoints = [Endpoint(host=n.address, port=CLIENT_PORT) for n in members]
    return Wire(endpoints, identity(WORKSPACE.store.root), seconds=5.0)


class Writer(threading.Thread):
    """Writes numbers, each under a key of its own, and remembers those that etcd has said yes to."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.over, self.acknowledged, self.failed = threading.Event(), [], 0
        self._wires = [wire(*ALL[n:], *ALL[:n]) for n in range(len(ALL))]

    def run(self) -> None:
        number = 0
        while not self.over.is_set():
            body = json.dumps({"key": text(f"/counter/{number:06}"), "value": text(str(number))}).encode()
            if self._put(body):
                self.acknowledged.append(number)
            else:
                self.failed += 1
            number += 1
            time.sleep(0.02)

    def _put(self, body: bytes) -> bool:
        """Any member that takes it: a learner refuses, a dead one does not answer."""
        answers = (w.request("POST", "/v3/kv/put", body) for w in self._wires)
        return any(isinstance(a, Answer) and a.code == 200 for a in answers)


def read(node) -> set[int]:
    """All numbers that a member has, as it has them itself."""
    body = {"key": text("/counter/"), "range_end": text("/counter0"), "serializable": True}
    answer = wire(node).request("POST", "/v3/kv/range", json.dumps(body).encode())
    assert isinstance(answer, Answer)
    return {int(b64decode(row["value"])) for row in json.loads(answer.body).get("kvs", ())}


@contextmanager
def writing():
    writer = Writer()
    writer.start()
    try:
        yield writer
    finally:
        writer.over.set()
        writer.join()


def look(*, complete: bool) -> tuple[View | None, object]:
    """The picture as the leader has it, and the leader."""
    statuses = {n: s for n in ALL if (s := status_of(WORKSPACE, n))}
    leader = next((n for n, s in statuses.items() if s.leader == s.id), None)
    members = etcd_at(WORKSPACE, leader).members() if leader else None
    if leader is None or isinstance(members, Trouble):
        return None, leader
    return View(members=members, statuses={s.id: s for s in statuses.values()}, complete=complete), leader


def carry_out(made, step: Step, leader) -> Trouble | None:
    etcd = etcd_at(WORKSPACE, leader)
    if step.kind == "start":
        if "etcd" not in made[step.node].processes:
            start_member(WORKSPACE, made, BY_NAME[step.node], step.initial_cluster)
        return None
    calls = {
        "add": lambda: etcd.add_learner(step.peer),
        "promote": lambda: etcd.promote(step.member),
        "move-leader": lambda: etcd.move_leader(step.member),
        "remove": lambda: etcd.remove(step.member),
    }
    return calls[step.kind]() if step.kind in calls else None


def grow(made, *, after=lambda step: None, turns=400) -> list[str]:
    """Every turn looks anew, as a run that was killed before it would; the steps that were carried out, in order."""
    taken: list[str] = []
    for _ in range(turns):
        view, leader = look(complete=True)
        step = decide(view, CLUSTER) if view else Step(kind="wait", why="")
        if step.kind == "done":
            return taken
        if step.acts and carry_out(made, step, leader) is None and f"{step.kind} {step.node}" not in taken:
            taken.append(f"{step.kind} {step.node}")
            after(step)
        time.sleep(0.2)
    raise AssertionError(f"it did not end: {taken}")


STEPS = [
    *(f"{kind} master-{n}" for n in range(3) for kind in ("add", "start", "promote")),
    "move-leader master-0",
    "remove bootstrap",
]


def test_from_one_to_four_to_three_and_no_write_fails_or_is_lost(tmp_path):
    with nodes(CLUSTER, tmp_path) as made, inside(made.hub):
        start_bootstrap(WORKSPACE, made)
        with writing() as writer:
            assert grow(made) == STEPS
        assert writer.failed == 0
        assert len(writer.acknowledged) > 100
        for node in CLUSTER.masters:
            until(lambda node=node: read(node) == set(writer.acknowledged))
        until(lambda: made["bootstrap"].processes["etcd"].poll() is not None)


def test_a_member_that_is_killed_after_each_step_comes_back_and_no_write_is_lost(tmp_path):
    with nodes(CLUSTER, tmp_path) as made, inside(made.hub):

        def kill(step: Step) -> None:
            if step.kind != "add" and step.kind != "remove":
                made[step.node].restart("etcd")

        start_bootstrap(WORKSPACE, made)
        with writing() as writer:
            taken = grow(made, after=kill)
        assert [step for step in taken if not step.startswith("move")] == [s for s in STEPS if not s.startswith("move")]
        assert writer.acknowledged
        for node in CLUSTER.masters:
            until(lambda node=node: read(node) >= set(writer.acknowledged))


def test_a_client_of_another_signer_learns_nothing(tmp_path):
    with nodes(CLUSTER, tmp_path) as made, inside(made.hub):
        start_bootstrap(WORKSPACE, made)
        tls = WORKSPACE.store.root / "tls"
        mine = identity(WORKSPACE.store.root)
        for pair in ("admin-kubeconfig-client", None):
            stranger = type(mine)(
                trust=mine.trust,
                certificate=(tls / f"{pair}.crt").read_bytes() if pair else b"",
                key=(tls / f"{pair}.key").read_bytes() if pair else b"",
            )
            endpoint = Endpoint(host=CLUSTER.bootstrap.address, port=CLIENT_PORT)
            answer = Wire([endpoint], stranger).request("POST", "/v3/cluster/member/list", b"{}")
            assert not isinstance(answer, Answer)


def test_what_etcd_refuses_is_a_value(tmp_path):
    with nodes(CLUSTER, tmp_path) as made, inside(made.hub):
        start_bootstrap(WORKSPACE, made)
        etcd = etcd_at(WORKSPACE, CLUSTER.bootstrap)
        assert "member not found" in str(etcd.promote(12345))
        assert "member not found" in str(etcd.remove(12345))
        (only,) = etcd.members()
        assert only.name == "etcd-bootstrap"
        assert etcd_at(WORKSPACE, CLUSTER.masters[0], seconds=1.0).members().kind == "unanswered"
