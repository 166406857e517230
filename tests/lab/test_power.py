"""The power of all nodes at once, cut at milestone after milestone: the same cluster goes on, and nothing is lost.

One lab is brought up in many runs. Each run is ended, together with every node, at the moment at which it has reached
its milestone; the next one has nothing but the folder and the disks to go by. `make test` cuts once in each stage that
moves the control plane, `make endurance` at every milestone.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from contextlib import suppress
from itertools import takewhile

import pytest

from hardway.checks.live.work import PODS, SPACE
from hardway.drive import pulse
from hardway.drive.client import Trouble, path
from hardway.drive.milestones.table import TABLE
from hardway.lab import node, prepared
from hardway.lab.up import Watch, forward, live_cluster
from hardway.staticpods.controller_manager import policy
from tests.lab.wholes import cluster_folder, quiet
from tests.support.hardway_program import COMMAND, hardway
from tests.support.waiting import until

CUTS = tuple(row.name for row in TABLE)
SOME = ("bootstrap-api", "masters-ready", "etcd-grown", "etcd-bootstrap-gone", "settled")
LONG = pytest.mark.endurance
LEFT = CUTS.index("etcd-bootstrap-gone")
VERIFIED = path(PODS, namespace=SPACE)
MAPS = path("/api/v1/configmaps", namespace="default")
KUBE_SYSTEM = "/api/v1/namespaces/kube-system"
LEASES = {
    "openshift-cluster-version": ("version",),
    "kube-system": ("kube-controller-manager", "kube-scheduler", f"{policy.NAME}-lock"),
}
"""They outlive their holders by minutes."""


class PowerCut(Exception):
    """Ends the run that was at work."""


@pytest.fixture(scope="module")
def lab():
    with cluster_folder(f"p{os.getpid()}", "1+1") as folder:
        yield Lab(prepared.prepare(folder, progress=quiet))


class Lab:
    def __init__(self, made):
        self.made = made
        self.uid = ""
        self.written: list[str] = []
        self.seconds: dict[str, float] = {}

    @property
    def api(self):
        return live_cluster(self.made).api

    def cut(self):
        for name in self.made.paths.laid_out():
            node.cut(self.made.paths, name)
        assert not any(self.made.machines.running(n.name) for n in self.made.cluster.nodes)

    def up(self, last="", stage=16):
        """As `hardway lab up`; with a milestone, until it is reached, and then all is dark. What was started."""
        events, begun = [], time.monotonic()

        def listen(event):
            events.append(event)
            if event.kind == "reached" and event.milestone == "version-syncs":
                self.release("openshift-cluster-version")
            if last and event.kind == "reached" and event.milestone == last:
                self.write(last)
                self.release(*LEASES)
                self.cut()
                raise PowerCut

        with suppress(PowerCut):
            forward(self.made, stage, Watch(listener=listen))
        self.seconds[last or "finished"] = round(time.monotonic() - begun, 1)
        return [e.node for e in events if e.kind == "acted" and "its stage has come" in e.text]

    def release(self, *spaces):
        """Only a cut of a finished cluster leaves them to run out: once is enough."""
        for space in spaces:
            for name in LEASES[space]:
                self.api.delete(path("/apis/coordination.k8s.io/v1/leases", name, namespace=space))

    def write(self, name):
        """Something that the API has acknowledged, just before the power goes."""
        body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": f"cut-{name}"}}
        until(lambda: not isinstance(self.api.create(MAPS, body), Trouble), lambda: f"{name}: no write was taken")
        self.written.append(f"cut-{name}")
        uid = self.api.get(KUBE_SYSTEM)["metadata"]["uid"]
        self.uid = self.uid or uid
        assert uid == self.uid

    def same(self):
        """It is the cluster that it was, with everything that was written."""
        assert self.api.get(KUBE_SYSTEM)["metadata"]["uid"] == self.uid
        there = {item["metadata"]["name"] for item in self.api.items(MAPS)}
        assert set(self.written) <= there
        assert pulse.read(self.made.paths.folder).lost == 0

    def status(self):
        return json.loads(hardway("-C", self.made.folder, "lab", "status", "-o", "json").stdout)


@pytest.mark.parametrize("milestone", [name if name in SOME else pytest.param(name, marks=LONG) for name in CUTS])
def test_the_power_goes_at_a_milestone(lab, milestone):
    started = lab.up(milestone)
    before = CUTS.index(milestone)
    if before > LEFT:  # its member has left the store: it has no part in the cluster any more
        assert "bootstrap" not in started
    shown = {row["name"]: row["before"] for row in lab.status()["milestones"]}
    assert shown[milestone]


def test_a_finished_cluster_is_known_to_be_finished_with_every_node_off(lab, capsys):
    """And loses its power once more, in the middle of the last verification."""
    said = hardway("-C", lab.made.folder, "lab", "status").stdout
    assert f"reached   {len(TABLE)} of {len(TABLE)} milestones\n" in said
    assert f"finished  off now: master-0, worker-0; `hardway -C {lab.made.folder} lab up` starts them" in said
    assert "next " not in said
    command = [*COMMAND, "-C", lab.made.folder, "lab", "up", "-o", "json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        events = list(takewhile(lambda event: event.get("stage") != "17", map(json.loads, process.stdout)))
        until(lambda: lab.api.items(VERIFIED), lambda: "the last verification has no pods", seconds=400)
        lab.cut()
        process.kill()
    assert any("this cluster was finished before" in event.get("text", "") for event in events)
    started = [event["node"] for event in events if "its stage has come" in event.get("text", "")]
    assert sorted(started) == ["master-0", "worker-0"]
    with capsys.disabled():
        print(f"\n  1+1, seconds from a cut to the milestone: {lab.seconds}", flush=True)


def test_all_nodes_start_with_one_command_and_are_verified_to_the_end(lab):
    done = hardway("-C", lab.made.folder, "lab", "start", "--all")
    assert done.returncode == 0, done.stderr
    assert [line.split(" is ")[0] for line in done.stdout.splitlines()] == ["master-0", "worker-0"]
    assert hardway("-C", lab.made.folder, "lab", "start", "--all").stdout == "no node had to be started\n"
    for _ in range(2):  # what the verification has made is removed, or taken up again
        done = hardway("-C", lab.made.folder, "lab", "up")
        assert done.returncode == 0, done.stderr
    lab.same()
    assert lab.status()["off"] == []
    assert not lab.made.machines.running("bootstrap")


def test_a_bootstrap_is_never_begun_over_the_data_of_masters(lab):
    (lab.made.paths.node("bootstrap") / "etcd" / "member").rename(lab.made.paths.node("bootstrap") / "etcd" / "gone")
    done = hardway("-C", lab.made.folder, "lab", "start", "bootstrap")
    assert done.returncode == 3
    assert "bootstrap: has no data of etcd, and master-0 has some" in done.stderr
    assert not lab.made.machines.running("bootstrap")
