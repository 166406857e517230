"""Where the time of a run went, from the events of one and from the objects that a cluster has kept."""

from __future__ import annotations

import json

import pytest

from hardway.drive.delays import delays, repeated
from hardway.drive.events import Event
from hardway.drive.milestones import causes
from hardway.drive.milestones.table import TABLE
from hardway.drive.waits import waits


def event(kind, seconds, milestone="", text=""):
    return Event(kind=kind, seconds=seconds, milestone=milestone, stage="12" if milestone else "", text=text)


GROWING = [
    event("waiting", 10, "etcd-grown", "master-0, master-1: master-0 is next; as a learner it receives the data"),
    event("acted", 10.2),
    event("waiting", 15, "etcd-grown", "master-0, master-1: the member of master-0 is in the list but has not started"),
    event("trouble", 16, text="etcd reports that the learner has not caught up yet"),
    event("waiting", 18, "etcd-grown", "master-1: master-1 is next; as a learner it receives the data"),
    event("reached", 24.5, "etcd-grown", "Every master has a member"),
    event("waiting", 24.5, "drained", "the API server on bootstrap to finish"),
    event("reached", 95, "drained"),
    event("finished", 95),
]


def test_the_longest_comes_first_and_the_same_cause_is_one_wait():
    found = waits(GROWING)
    assert [(row.milestone, row.seconds, row.begun) for row in found] == [
        ("drained", 70.5, 24.5),
        ("etcd-grown", 11.5, 10),
        ("etcd-grown", 3, 15),
    ]
    assert "for 70 s with several masters" in found[0].cause
    assert "connected for 5 s" in found[1].cause
    assert found[1].missing.startswith("master-0, master-1: master-0 is next")
    assert found[0].line().startswith("  70.5 s  from   24 s  12 drained  ")
    assert json.loads(json.dumps(found[0].as_dict()))["seconds"] == 70.5


def test_a_run_that_was_interrupted_has_no_wait_that_lasts_into_the_next():
    again = [event("waiting", 3, "drained", "the API server on bootstrap to finish"), event("finished", 5)]
    found = waits([*GROWING[:-2], *again])
    assert [(row.milestone, row.seconds) for row in found if row.milestone == "drained"] == [("drained", 2)]


def test_every_wait_for_every_milestone_has_a_cause():
    names = [row.name for row in TABLE]
    assert set(names) == {row.milestone for row in causes.TABLE}
    for name in names:
        words = [row.words for row in causes.TABLE if row.milestone == name]
        assert words.index("") == len(words) - 1
        assert len(set(words)) == len(words)
    assert causes.cause("a milestone of another version", "something") == ""


@pytest.mark.parametrize(
    ("milestone", "missing", "cause"),
    [
        ("bootstrap-api", "the API through the load balancer: no answer", "health checks"),
        ("masters-ready", "master-1 is not Ready: KubeletNotReady", "CNI"),
        ("masters-ready", "master-1 has not registered", "requests a client certificate"),
        ("masters-ready", "master-1 has not registered; csr-1 is approved but not signed", "controller-manager"),
        ("workers-ready", "worker-0 has no serving certificate yet", "serving certificate"),
        ("apis", "the API server on master-2", "kube-apiserver starts"),
        ("apis", "the load balancer to see master-2 as healthy", "health checks"),
        ("apis", "the pods kube-apiserver-master-2 to be Ready", "readiness probes"),
    ],
)
def test_a_cause_follows_from_what_is_missing(milestone, missing, cause):
    assert cause in causes.cause(milestone, missing)


def pod(*statuses):
    return {"metadata": {"namespace": "openshift-a", "name": "a-0"}, "status": {"containerStatuses": list(statuses)}}


def test_delays_that_the_cluster_has_kept_itself():
    ended = {"exitCode": 1, "finishedAt": "2026-01-02T03:04:05Z"}
    running = {"running": {"startedAt": "2026-01-02T03:04:25Z"}}
    again = {"name": "a", "lastState": {"terminated": ended}, "state": running}
    quick = {"name": "b", "lastState": {}, "state": running}
    about = {"namespace": "openshift-b", "name": "b-0"}
    pulled = {
        "reason": "Pulled",
        "involvedObject": about,
        "message": 'Successfully pulled image "i" in 2.5s (3s including waiting).',
    }
    there = {"reason": "Pulled", "involvedObject": about, "message": 'Successfully pulled image "i" in 250ms (1s).'}
    approved = {"type": "Approved", "lastUpdateTime": "2026-01-02T03:04:09Z"}
    request = {
        "metadata": {"name": "csr-1", "creationTimestamp": "2026-01-02T03:04:05Z"},
        "spec": {"username": "system:node:a"},
        "status": {"conditions": [approved]},
    }
    found = delays(
        [pod(again, quick), {"metadata": {}}], [pulled, there, {"reason": "Started"}], [request, {"metadata": {}}]
    )
    assert [(one.seconds, one.where) for one in found] == [
        (20, "openshift-a/a-0"),
        (4, "csr-1 of system:node:a"),
        (2.5, "openshift-b/b-0"),
    ]
    assert "a ended with exit code 1" in found[0].cause
    assert found[0].line().startswith("  20.0 s  openshift-a/a-0  ")


def test_a_container_that_had_to_start_again_is_known_from_the_journal_alone():
    line = '2026-01-02T03:{}+0000 bootstrap crio[58]: level=info msg="Started container" PID=2 description={} id=4'
    rows = [
        ("04:05", "a/a-0/manager"),
        ("04:06", "b/b-0/other"),
        ("04:08", "a/a-0/manager"),
        ("04:31", "a/a-0/manager"),
    ]
    rows += [("04:07", "c/c-0/later"), ("09:07", "c/c-0/later")]
    (found,) = repeated("bootstrap", "\n".join(line.format(*row) for row in rows))
    assert (found.seconds, found.where) == (26, "bootstrap a/a-0/manager")
    assert found.cause.startswith("started 3 times: ")
