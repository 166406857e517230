"""A cluster driven from a booted bootstrap node to its workers: real control plane, real bootkube.sh, real HAProxy."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest
import yaml

from hardway.checks.live.given import Given, Workload
from hardway.checks.live.table import TABLE as TABLE_17
from hardway.checks.live.table import verify
from hardway.drive.client import Client, Trouble, path
from hardway.drive.events import Event
from hardway.drive.live import LiveCluster, open_cluster
from hardway.drive.loop import Options, drive
from hardway.drive.milestones.table import TABLE
from hardway.drive.observe import NODES, OPERATORS, VERSION
from hardway.labrelease.compile.all import compiled
from hardway.labrelease.components.table import component
from hardway.model.check import Report
from hardway.model.errors import CheckError
from hardway.tools.run import Done
from tests.support import crds
from tests.support.balancer import running_haproxy
from tests.support.clusters import install_config
from tests.support.entropy import FixedEntropy
from tests.support.ignition.files import files
from tests.support.kubelets import StandIns, bootkube
from tests.support.netns import inside
from tests.support.node_roots import nodes
from tests.support.trees import build_folder, write_folder
from tests.support.waiting import until

CRDS = ("clusteroperators", "clusterversions-Default")
ADMITTING = ("ClusterResourceQuota", "Infrastructure", "RoleBindingRestriction", "SecurityContextConstraints")
"""Types without which the API servers' admission lets neither a node nor a pod in."""
KINDS = (
    "Namespace",
    "ClusterVersion",
    "ClusterRole",
    "ClusterRoleBinding",
    "ConfigMap",
    "Secret",
    "Infrastructure",
    "SecurityContextConstraints",
)
COUNTER = path("/api/v1/configmaps", "counter", namespace="default")


@dataclass
class Asker(threading.Thread):
    """Ten times a second through the load balancer: write a number, read it back."""

    client: Client
    over: threading.Event = field(default_factory=threading.Event)
    written: int = 0
    failures: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(daemon=True)

    __hash__ = threading.Thread.__hash__

    def run(self) -> None:
        while not self.over.wait(0.1):
            said = self.client.patch(COUNTER, {"data": {"n": str(self.written + 1)}})
            if isinstance(said, Trouble):
                self.failures.append(said.message)
            else:
                self.written += 1


def version_status(workspace, state):
    release = workspace.loaded.cluster.release
    done = "2025-06-01T12:00:00Z" if state == "Completed" else None
    entry = {"state": state, "version": release.version, "image": release.image, "verified": False}
    entry |= {"startedTime": "2025-06-01T12:00:00Z", "completionTime": done}
    desired = {"version": release.version, "image": release.image}
    return {
        "history": [entry],
        "desired": desired,
        "availableUpdates": None,
        "observedGeneration": 1,
        "versionHash": "stand-in",
    }


def report_version(live: LiveCluster, workspace, state: str) -> bool:
    """As the cluster-version operator would."""
    item = live.api.get(VERSION)
    if isinstance(item, Trouble):
        return False
    return not isinstance(
        live.api.replace(f"{VERSION}/status", {**item, "status": version_status(workspace, state)}), Trouble
    )


def report_operator(live: LiveCluster, name: str, version: str, *, available: bool, message: str = "") -> None:
    body = {"apiVersion": "config.openshift.io/v1", "kind": "ClusterOperator", "metadata": {"name": name}, "spec": {}}
    live.api.create(OPERATORS, body)
    condition = {"type": "Available", "status": str(available), "reason": "StandIn", "message": message}
    condition["lastTransitionTime"] = "2025-06-01T12:00:00Z"
    status = {"conditions": [condition], "versions": [{"name": "operator", "version": version}]}
    said = live.api.patch(f"{path(OPERATORS, name)}/status", {"status": status})
    assert not isinstance(said, Trouble), said


def lay_bootstrap(workspace, root) -> None:
    """From its Ignition; of the manifests only those that this small cluster has types for."""
    laid = files((workspace.store.root / "bootstrap.ign").read_bytes())
    for where, file in laid.items():
        manifest = where.startswith(("/opt/openshift/manifests/", "/opt/openshift/openshift/"))
        if where != "/etc/hosts" and (not manifest or yaml.safe_load(file.content)["kind"] in KINDS):
            root.put({where: (file.mode, file.content)})
    made = compiled(component("api")) / "data/config/v1/zz_generated.crd-manifests"
    for name in CRDS:
        source = made / f"0000_00_cluster-version-operator_01_{name}.crd.yaml"
        root.put({f"/opt/openshift/crds/{name}.yaml": (0o644, source.read_bytes())})
    for kind in ADMITTING:
        root.put({f"/opt/openshift/crds/{kind}.yaml": (0o644, crds.files(kind)[0].read_bytes())})


@contextmanager
def running(tmp_path, masters: int, workers: int):
    """The world before stage 10: the bootstrap node is on, all else is off."""
    config = install_config(masters=masters, workers=workers)
    folder = write_folder(tmp_path / "cluster", config, keys="ecdsa-p256", operators=())
    workspace = build_folder(folder, FixedEntropy(now=datetime.now(UTC).replace(microsecond=0)))
    cluster = workspace.loaded.cluster
    with ExitStack() as stack:
        made = stack.enter_context(nodes(cluster, tmp_path / "nodes"))
        stack.enter_context(inside(made.hub))
        machines = StandIns(workspace, made, stack.enter_context(running_haproxy(made.hub, tmp_path, cluster)))
        stack.callback(machines.stop_all)
        bootstrap = made[cluster.bootstrap.name]
        lay_bootstrap(workspace, bootstrap)
        script = bootkube(bootstrap, tmp_path)
        stack.callback(script.wait)
        stack.callback(script.terminate)
        live = open_cluster(cluster, workspace.store.root, machines)
        stack.callback(live.pool.shutdown)
        yield live, workspace, machines


class Interrupted(Exception):
    """The run is killed right after a step."""


@dataclass
class Log:
    events: list[Event] = field(default_factory=list)
    kill: bool = False

    def __call__(self, event: Event) -> None:
        self.events.append(event)
        if self.kill and event.kind == "acted":
            raise Interrupted

    def reached(self) -> list[str]:
        return list(dict.fromkeys(e.milestone for e in self.events if e.kind == "reached"))


def bootstrap(live: LiveCluster, workspace, log: Log) -> None:
    """Stage 10; the cluster-version operator is a line that says it has begun."""

    def begun() -> None:
        until(lambda: report_version(live, workspace, "Partial"), seconds=600)

    operator = threading.Thread(target=begun)
    operator.start()
    drive(live, log, Options(until=10, pause=0.5))
    operator.join()
    counter = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "counter"}}
    assert not isinstance(live.api.create(path("/api/v1/configmaps", namespace="default"), counter), Trouble)


@contextmanager
def asking(live: LiveCluster):
    asker = Asker(client=live.api)
    asker.start()
    yield asker
    asker.over.set()
    asker.join()
    assert asker.failures == []
    assert asker.written > 20
    assert live.api.get(COUNTER)["data"]["n"] == str(asker.written)


def verified(live: LiveCluster) -> Report:
    workload = Workload(image="example.com/answer", command=("answer",), port=8080, word="yes", inside=("true",))

    def kubectl(argv: Sequence[str]) -> Done:
        return Done(command=tuple(argv), code=1, output="", errors="no container runs here")

    return verify(Given(live=live, now=datetime.now(UTC), workload=workload, kubectl=kubectl, seconds=2.0))


def only_kubelets_are_missing(live: LiveCluster) -> None:
    """Stage 17, as far as it can be true without a container: everything else is well, and what is not is named."""
    report = verified(live)
    assert {*report.ran, *report.skipped} == {check.name for check in TABLE_17}
    assert set(report.skipped) == {"final.rendered", "final.served", "final.routes"}  # operators that are not there
    assert {(f.check, f.subject) for f in report.findings} == {
        ("final.listens", "master-0:10250"),
        ("final.listens", "worker-0:10250"),
        ("final.service", "deployment hardway-verification/answer"),
        *((f.check, f.subject) for f in report.findings if f.check == "final.logs"),
    }
    [service] = [f.message for f in report.findings if f.check == "final.service"]
    assert service.startswith("0 of 1 pods are ready")
    stranger = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "stranger"}}
    assert not isinstance(live.api.create(NODES, stranger), Trouble)
    found = [f for f in verified(live).findings if f.check == "final.nodes" and f.subject == "stranger"]
    assert [f.message for f in found][:1] == ["has joined and is not planned"]
    live.api.delete(path(NODES, "stranger"))


def test_one_master_and_a_worker_and_an_operator_that_lags(tmp_path):
    with running(tmp_path, 1, 1) as (live, workspace, machines):
        log = Log()
        bootstrap(live, workspace, log)
        with asking(live):
            drive(live, log, Options(until=15, pause=0.5))
        assert log.reached() == [row.name for row in TABLE if row.stage < "16"]
        assert [n["metadata"]["name"] for n in live.api.items(NODES)] == ["master-0", "worker-0"]
        assert not machines.running("bootstrap")
        only_kubelets_are_missing(live)
        version = live.cluster.release.version
        report_operator(live, "network", version, available=False, message="no pod network")
        with pytest.raises(CheckError, match=r"operators: not reached.*\n.*network is not Available: StandIn: no pod"):
            drive(live, log, Options(pause=0.1, patience=0.0))
        report_operator(live, "network", version, available=True)
        report_version(live, workspace, "Completed")
        assert drive(live, log, Options(pause=0.1, patience=0.0)).version.completed
        assert log.reached() == [row.name for row in TABLE]


def test_a_bootstrap_node_that_dies_too_early_is_started_again(tmp_path):
    with running(tmp_path, 1, 0) as (live, workspace, machines):
        log = Log()
        bootstrap(live, workspace, log)
        drive(live, log, Options(until=11, pause=0.5))
        machines.stop("bootstrap")
        drive(live, log, Options(until=13, pause=0.5))
        assert log.reached() == [row.name for row in TABLE if row.stage < "14"]
        started = [e for e in log.events if e.kind == "acted" and e.text == "bootstrap is off and its stage has come"]
        assert len(started) == 2
        assert [m.name for m in live.members["master-0"].members()] == ["master-0"]


def test_three_masters_with_a_run_that_is_killed_after_every_step(tmp_path):
    with running(tmp_path, 3, 1) as (live, workspace, _):
        log = Log()
        bootstrap(live, workspace, log)
        log.kill = True
        with asking(live):
            for _ in range(200):
                try:
                    drive(live, log, Options(until=15, pause=0.5))
                    break
                except Interrupted:
                    continue
        assert log.reached() == [row.name for row in TABLE if row.stage < "16"]
        steps = [e.text for e in log.events if e.kind == "acted" and e.node.startswith("master") and "next" in e.text]
        assert [text.split(" ")[0] for text in steps] == ["master-0", "master-1", "master-2"]
        names = {m.name for m in live.members["master-0"].members()}
        assert names == {"master-0", "master-1", "master-2"}
