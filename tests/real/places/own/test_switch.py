"""hardway start, stop, status and down at machines of their owner's: a person switches, and it is seen from outside."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import ExitStack, contextmanager

import pytest

from hardway.drive import record
from hardway.drive.milestones.table import TABLE
from hardway.places.remembered import Place, kept, read, remember
from tests.support.sshd import sshd


def hardway(workspace, *words):
    command = [sys.executable, "-m", "hardway", "-C", str(workspace.folder), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@contextmanager
def asking(workspace, *words):
    """The command, when it has asked for something; it ends by itself once that was done."""
    command = [sys.executable, "-u", "-m", "hardway", "-C", str(workspace.folder), *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def test_a_person_switches_a_machine_on_and_off(workspace, space, tmp_path):
    master = workspace.loaded.cluster.masters[0]
    named = f"master-0 ({master.address}, MAC {master.mac})"
    with ExitStack() as power, asking(workspace, "start", "master-0") as process:
        assert process.stdout.readline().startswith(f"switch {named} on")
        power.enter_context(sshd(space, workspace, master, tmp_path))
        assert (process.stdout.read(), process.wait()) == ("master-0 is on\n", 0)
        assert hardway(workspace, "start", "master-0").stdout == "master-0 is on\n", "nobody is asked again"
        with asking(workspace, "stop", master.address, "--cut", "-o", "json") as stopping:
            assert f"cut the power of {named}\n" in stopping.stderr
            power.close()
            assert json.loads(stopping.stdout.read()) == [{"node": "master-0", "state": "off"}]


def test_a_bootstrap_node_that_has_left_is_not_started_with_the_others(workspace, space, tmp_path):
    master = workspace.loaded.cluster.masters[0]
    remember(workspace.folder, Place(kind="own"))
    record.add(kept(workspace.folder), [row.name for row in TABLE if row.stage <= "13"])
    with sshd(space, workspace, master, tmp_path):
        done = hardway(workspace, "start", "--all")
    assert (done.returncode, done.stdout) == (0, "master-0 is on\n")


def test_status_shows_nodes_milestones_and_what_comes_next(workspace, space, tmp_path):
    remember(workspace.folder, Place(kind="own"))
    with sshd(space, workspace, workspace.loaded.cluster.masters[0], tmp_path):
        text = hardway(workspace, "status").stdout
    assert "place     machines of your own\n" in text
    assert "node      bootstrap      bootstrap  192.168.126.100  off\n" in text
    assert "node      master-0       master     192.168.126.101  on\n" in text
    assert "; `hardway -C " in text.partition("next      ")[2]
    silent = json.loads(hardway(workspace, "status", "-o", "json").stdout)["machines"]
    assert silent["milestones"][0]["missing"] != ""
    assert [row["on"] for row in silent["nodes"]] == [False, False]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("start",), "no node is named.\n    fix: name one node, or give --all and no node"),
        (("start", "master-0", "--all"), "--all and a node are both given."),
        (("stop", "master-7"), "the plan has no 'master-7'"),
        (("down",), "nothing was removed: there is no terminal to ask on.\n    fix: give --yes"),
    ],
)
def test_what_cannot_be_done_is_refused(workspace, words, message):
    remember(workspace.folder, Place(kind="own"))
    done = hardway(workspace, *words)
    assert done.returncode == 2, done.stderr
    assert message in done.stderr
    assert read(workspace.folder) == Place(kind="own")


def test_down_forgets_the_way_and_names_what_is_left_to_the_owner(workspace):
    remember(workspace.folder, Place(kind="own"))
    before = {path for path in workspace.store.root.rglob("*") if not path.is_relative_to(kept(workspace.folder))}
    seen = json.loads(hardway(workspace, "down", "--dry-run", "-o", "json").stdout)
    assert seen["records"] == [str(kept(workspace.folder))]
    assert seen["left"][0].startswith("machines bootstrap, master-0: switch them off, and erase their disks")
    assert read(workspace.folder) == Place(kind="own")
    done = hardway(workspace, "down", "--yes")
    assert (done.returncode, read(workspace.folder)) == (0, None), done.stderr
    assert "leave     load balancer: its entries for 192.168.126.10, 192.168.126.11\n" in done.stdout
    assert set(workspace.store.root.rglob("*")) == before
