"""The doctor in a lab of one master and one worker: silent while it comes up, and right about what is planted in it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time

import pytest

from hardway.lab import node
from hardway.lab.diagnosis import examine
from tests.lab.plants.machines import MACHINES
from tests.lab.plants.names import NAMES, closed
from tests.lab.plants.objects import OBJECTS
from tests.lab.plants.trust import TRUST
from tests.lab.wholes import whole
from tests.support.waiting import until

PROGRAM = [sys.executable, "-c", "from hardway.cli.main import main; main()"]
LEASE = "/apis/coordination.k8s.io/v1/namespaces/openshift-cluster-version/leases/version"
PLANTS = NAMES | TRUST | OBJECTS | MACHINES


@pytest.fixture(scope="module")
def lab():
    with whole(f"d{os.getpid()}", "1+1") as found:
        yield found


def told(lab, *options):
    """The failing roots, as a user is told of them: each as its failure modes."""
    command = [*PROGRAM, "-C", str(lab.prepared.folder), "doctor", "-o", "json", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 4), done.stderr
    roots = [root for root in json.loads(done.stdout)["roots"] if root["fails"]]
    assert bool(roots) == (done.returncode == 4)
    return [(root["failures"], [f"{f['subject']}: {f['message']}" for f in root["findings"]]) for root in roots]


def modes(roots):
    return [found for found, _ in roots]


def healthy(lab):
    assert [f"{f.check} {f.subject}: {f.message}" for f in examine(lab.prepared).errors] == []


def test_a_healthy_lab_is_called_so_when_the_masters_have_joined(lab):
    lab.drive(11)
    healthy(lab)


def test_a_bootstrap_node_that_is_removed_too_early(lab):
    node.cut(lab.prepared.paths, "bootstrap")
    roots = told(lab)
    lab.drive(11)  # starts it again
    lab.live.api.delete(LEASE)  # of CVO, which would outlive its holder by minutes
    assert modes(roots) == [["F31"]], roots


def test_a_healthy_lab_is_called_so_when_etcd_has_grown(lab):
    lab.drive(12)
    healthy(lab)


def test_a_firewall_between_the_members_of_etcd(lab):
    with closed("master-0", 2380)(lab):
        roots = told(lab)
    until(lambda: modes(told(lab)) == [], lambda: str(told(lab)))
    assert modes(roots) == [["F30"]], roots


@pytest.mark.parametrize("stage", [13, 14, 16])
def test_a_healthy_lab_is_called_so_at_every_stage(stage, lab):
    lab.drive(stage)
    healthy(lab)


@pytest.mark.parametrize("name", PLANTS)
def test_what_is_planted_is_the_only_root(name, lab, capsys):
    """What was planted before it has gone without a trace."""
    plant, begun = PLANTS[name], time.monotonic()
    with plant.planted(lab):
        roots = told(lab, *(["--later", plant.later] if plant.later else []))
    with capsys.disabled():
        print(f"\n  {plant.mode} {name}: {time.monotonic() - begun:.0f} s", flush=True)
    assert modes(roots) == [[plant.mode]], roots


def test_nothing_is_wrong_in_the_end(lab):
    until(lambda: told(lab, "--later", "2h") == [], lambda: str(told(lab, "--later", "2h")))
    assert told(lab, "--since", "1h") == []
