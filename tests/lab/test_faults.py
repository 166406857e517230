"""One master, brought up by a program that is killed ten times on the way, and a bootstrap node that dies."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from hardway.lab import node, prepared
from tests.lab.wholes import cluster_folder, opened
from tests.support.waiting import until

EARLY = (
    "pushing etcd",
    "machine-config-operator bootstrap",
    "unpacking",
    "prepared",
    "acted     bootstrap: bootstrap is off",
    "reached   10 bootstrap-api",
    "acted     master-0: master-0 is off",
)
LATE = ("reached   11 masters-ready", "as a learner it receives the data", "no new connection goes to bootstrap")
LEASE = "/apis/coordination.k8s.io/v1/namespaces/openshift-cluster-version/leases/version"


@pytest.fixture(scope="module")
def folder():
    with cluster_folder(f"k{os.getpid()}", "1+0") as found:
        yield found


@pytest.fixture(scope="module")
def lab(folder):
    """Once it is prepared."""
    found = opened(prepared.opened(folder), time.monotonic())
    yield found
    found.beat.stop()


def killed_at(folder, words):
    """A run that comes to an end in the middle of things: as soon as it has said these words."""
    process = begun(folder, 16)
    said = []
    for line in process.stdout:
        said.append(line)
        if words in line:
            break
    process.kill()
    process.wait()
    process.stdout.close()
    assert said, "it said nothing"
    assert words in said[-1], "".join(said[-20:])
    until(lambda: not alive(process.pid), lambda: "a program that it started does not end")


def begun(folder, stage):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    command = [sys.executable, "-m", "tests.lab.driven", str(folder), str(stage)]
    return subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True, text=True
    )


def alive(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("words", EARLY)
def test_it_is_killed_before_the_masters_are_there(folder, words):
    killed_at(folder, words)


def test_the_bootstrap_node_dies_before_etcd_has_grown_and_nothing_is_lost(folder, lab):
    lab.drive(11)
    lab.writes_go_on()
    node.cut(lab.prepared.paths, "bootstrap")
    until(lambda: lab.beat.figures.failed > 0, lambda: "the API goes on without its machine")
    lab.drive(11)
    lab.live.api.delete(LEASE)  # CVO's, which would outlive its holder by minutes
    assert lab.runs("bootstrap")
    lab.writes_go_on()
    assert lab.beat.figures.lost == 0, lab.beat.figures.failures


@pytest.mark.parametrize("words", LATE)
def test_it_is_killed_while_the_control_plane_moves(folder, words):
    killed_at(folder, words)


def test_the_last_run_finishes_and_no_request_has_failed_since(lab, capsys):
    failed = [*lab.beat.figures.failures]
    counted = lab.beat.figures.failed
    lab.drive()
    assert lab.problems() == []
    with capsys.disabled():
        print(f"\n  1+0, pulse: {lab.beat.figures}", flush=True)
    assert lab.beat.figures.failed == counted, (failed, lab.beat.figures.failures)
    assert lab.beat.figures.lost == 0
