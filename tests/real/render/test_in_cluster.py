"""What the cluster's own machine-config operator, controller and server make of our manifests: the real programs."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import cast

import pytest

from hardway.checks.live import rendered, served
from hardway.checks.live.given import Given, Workload
from hardway.drive.client import Trouble, path
from hardway.drive.live import open_cluster
from hardway.drive.machines import Machines
from hardway.ignition.base import POOLS, read_base
from hardway.lines.default import DEFAULT
from hardway.workspace.folder import open_workspace
from tests.support.operators.machine_config import running, server
from tests.support.waiting import until

LATE = "99-worker-late"


@pytest.fixture(scope="module")
def cluster(operated, tmp_path_factory):
    with running(open_workspace(operated), tmp_path_factory.mktemp("in-cluster")) as found:
        yield found


def given(cluster, **changes):
    at = cluster.at
    live = open_cluster(
        at.cluster, at.workspace.store.root, cast(Machines, None), reach=(at.cluster.bootstrap.address,)
    )
    nothing = Workload(image="", command=(), port=0, word="", inside=())
    return Given(
        live=live, now=datetime.now(UTC), workload=nothing, kubectl=lambda argv: pytest.fail(str(argv)), **changes
    )


def test_the_cluster_renders_the_names_that_our_nodes_carry(cluster, operated):
    ours = read_base(operated / "assets/mco", DEFAULT)
    assert list(rendered.same(given(cluster))) == []
    assert cluster.names() == {pool: ours[pool].name for pool in POOLS}


def test_the_server_serves_our_node_files_but_for_the_rows(cluster):
    rendered_already = list(rendered.same(given(cluster)))
    assert rendered_already == []
    with server(cluster):
        log = cluster.folder / "machine-config-server.log"
        until(lambda: not flaws(cluster), lambda: f"{flaws(cluster)}\n{log.read_text()}", seconds=60)


def flaws(cluster):
    """Of the first master: the others have no server here."""
    first = cluster.at.cluster.masters[0].name
    return [f.message for f in served.same(given(cluster)) if f.subject.startswith(f"{first}:")]


def test_every_row_of_the_differences_is_needed(cluster, monkeypatch):
    with server(cluster):
        until(lambda: not flaws(cluster), lambda: str(flaws(cluster)), seconds=60)
        monkeypatch.setattr(served, "BY_PATH", {})
        said = {message.split()[0] for message in flaws(cluster)}
    needed = {row.path for row in served.EXPECTED} - {"/etc/kubernetes/kubelet-ca.crt"}  # differs after the bootstrap
    assert needed == said


def test_a_difference_is_named_by_its_place(cluster):
    """Somebody adds a MachineConfig in the running cluster, which the nodes were not made from."""
    about = {"name": LATE, "labels": {"machineconfiguration.openshift.io/role": "worker"}}
    body = {"apiVersion": "machineconfiguration.openshift.io/v1", "kind": "MachineConfig", "metadata": about}
    config = {
        "ignition": {"version": "3.4.0"},
        "storage": {"files": [{"path": "/etc/late", "contents": {"source": "data:,x"}}]},
    }
    made = cluster.at.api.create(rendered.CONFIGS, {**body, "spec": {"config": config, "kernelArguments": ["late"]}})
    assert not isinstance(made, Trouble), made
    before = cluster.names()
    until(lambda: cluster.names()["worker"] != before["worker"], lambda: str(cluster.names()), seconds=60)
    [flaw] = rendered.same(given(cluster, seconds=1.0))
    cluster.at.api.delete(path(rendered.CONFIGS, LATE))
    until(lambda: cluster.names() == before, lambda: str(cluster.names()), seconds=60)
    assert flaw.subject == "MachineConfigPool worker"
    assert f"its nodes carry {before['worker']}, and the cluster renders rendered-worker-" in flaw.message
    assert flaw.message.endswith("they differ in the field kernelArguments, the file /etc/late")


def test_a_node_whose_daemon_says_nothing_is_named(cluster):
    name = cluster.at.cluster.masters[0].name
    made = cluster.at.api.create(rendered.NODES, {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}})
    assert not isinstance(made, Trouble), made
    first, *_ = rendered.reported(given(cluster, seconds=0.0))
    cluster.at.api.delete(path(rendered.NODES, name))
    assert first.subject == name
    assert first.message.startswith("its machine-config daemon reports nothing (no state), not rendered-master-")
