"""Machines over ssh, as `hardway up` sees them: off, on, foreign, locked; a real sshd at each planned address."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest

from hardway.model.errors import ConfigError
from hardway.places.own.cluster import demand_built, opened
from hardway.places.own.up import alone, forward
from hardway.staticpods.apiserver.serving import PORT
from tests.support.backends import backend
from tests.support.clusters import install_config
from tests.support.sshd import sshd
from tests.support.trees import write_folder
from tests.support.waiting import until


class Enough(Exception):
    """The test has seen what it waited for."""


def events(workspace, kind):
    """Of a drive that is left alone, up to the first of the kind."""
    found = []

    def turn():
        if any(event.kind == kind for event in found):
            raise Enough

    with opened(workspace.folder) as own, alone(own.kept), pytest.raises(Enough):
        forward(own, 10, found.append, turn)
    return found


def hardway(workspace, *words):
    command = [sys.executable, "-m", "hardway", "-C", str(workspace.folder), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_person_is_asked_to_switch_on_and_the_wait_has_its_limit(workspace, space):
    found = events(workspace, "asked")
    bootstrap = workspace.loaded.cluster.bootstrap
    waiting, asked = found[0], next(event for event in found if event.kind == "asked")
    assert "; at most 20 min: boot, and pulling etcd's image over a slow line)" in waiting.text
    assert (asked.node, asked.asks) == ("bootstrap", "on")
    assert asked.text.startswith(f"switch bootstrap ({bootstrap.address}, MAC {bootstrap.mac}) on")


def test_a_person_is_asked_again_for_a_machine_that_has_gone_off_again(workspace, space, tmp_path):
    found, bootstrap = [], workspace.loaded.cluster.bootstrap

    with ExitStack() as power:

        def turn():
            asked = [event for event in found if event.kind == "asked"]
            if len(asked) == 2:
                raise Enough
            if asked and not (tmp_path / bootstrap.name).exists():
                power.enter_context(sshd(space, workspace, bootstrap, tmp_path))
            elif own.machines.on.get(bootstrap.name):
                power.close()

        with opened(workspace.folder) as own, alone(own.kept), pytest.raises(Enough):
            forward(own, 10, found.append, turn)
    assert [(event.node, event.asks) for event in found if event.kind == "asked"] == [("bootstrap", "on")] * 2


def test_a_foreign_host_key_is_told(workspace, space, tmp_path):
    with sshd(space, workspace, workspace.loaded.cluster.bootstrap, tmp_path, keys_of="master-0"):
        trouble = events(workspace, "trouble")[-1]
    assert (trouble.node, trouble.kind) == ("bootstrap", "trouble")
    assert "shows another SSH host key than assets/ssh/known_hosts has for bootstrap" in trouble.text


def test_a_sudo_that_asks_for_a_password_is_told(workspace, space, tmp_path):
    with sshd(space, workspace, workspace.loaded.cluster.bootstrap, tmp_path) as node:
        node.lock()
        trouble = events(workspace, "trouble")[-1]
    assert trouble.text.startswith("bootstrap: sudo asks user core for a password")


def test_a_closed_port_of_a_machine_that_is_on_is_told(workspace, space):
    """Its API server answers: the machine is on."""
    address = workspace.loaded.cluster.bootstrap.address
    with backend("any", address, PORT):
        trouble = events(workspace, "trouble")[-1]
    assert trouble.text.startswith(f"bootstrap: nothing listens on port 22 of {address}")


def test_a_machine_that_reboots_in_the_middle_is_told(workspace, space, tmp_path):
    """Its API server still answers while ssh is cut, so the machine counts as on."""
    bootstrap = workspace.loaded.cluster.bootstrap
    with (
        backend("any", bootstrap.address, PORT),
        sshd(space, workspace, bootstrap, tmp_path) as node,
        ThreadPoolExecutor(1) as pool,
    ):
        begun = node.folder / "begun"
        (node.folder / "bin/sudo").write_text(f"#!/bin/sh\ntouch {begun}; exec sleep 600\n")

        def reboot():
            until(begun.exists)
            node.cut()

        done = pool.submit(reboot)
        trouble = next(event for event in events(workspace, "trouble") if event.kind == "trouble")
        done.result()
    assert trouble.node == "bootstrap"
    assert trouble.text.startswith(f"bootstrap: the connection to {bootstrap.address} broke: the machine reboots")


def test_two_commands_do_not_drive_one_cluster(workspace, space):
    with opened(workspace.folder) as own, alone(own.kept):
        second = hardway(workspace, "up", "--until", "10")
    assert second.returncode == 3
    assert "drives this cluster.\n    fix: wait until it ends" in second.stderr


def test_the_state_is_read_and_nothing_is_changed(workspace, space, tmp_path):
    before = sorted(workspace.store.root.rglob("*"))
    with sshd(space, workspace, workspace.loaded.cluster.masters[0], tmp_path):
        done = hardway(workspace, "up", "--dry-run", "-o", "json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert [(row["name"], row["on"]) for row in found["nodes"]] == [("bootstrap", False), ("master-0", True)]
    assert (found["milestones"][0]["name"], found["milestones"][0]["reached"]) == ("bootstrap-etcd", False)
    assert sorted(workspace.store.root.rglob("*")) == before
    text = hardway(workspace, "up", "--dry-run", "--until", "10").stdout
    assert "reached   0 of 4 milestones\n" in text
    assert "next      10 bootstrap-etcd: waits for etcd on bootstrap" in text
    assert text.endswith("nothing was changed\n")


def test_data_of_etcd_is_known_of_a_machine_that_is_off(workspace, space, tmp_path):
    master = workspace.loaded.cluster.masters[0]
    with opened(workspace.folder) as own, alone(own.kept):
        assert not own.machines.keeps_data("master-0")
        with sshd(space, workspace, master, tmp_path / "on"):
            assert own.machines.running("master-0")
            assert not own.machines.keeps_data("master-0"), "this machine has no etcd"
        (own.kept / "stored.json").write_text('["master-0", "stranger"]')
        assert not own.machines.running("master-0")
        assert own.machines.keeps_data("master-0")
        (own.kept / "stored.json").write_text("{")
        assert not own.machines.keeps_data("master-0")


def test_programs_and_logs_over_ssh(workspace, space, tmp_path):
    with sshd(space, workspace, workspace.loaded.cluster.masters[0], tmp_path) as node:
        done = hardway(workspace, "exec", "master-0", "--", "sh", "-c", "echo 'a  b'; exit 7")
        assert (done.returncode, done.stdout) == (7, "a  b\n")
        node.lock()
        refused = hardway(workspace, "logs", "master-0")
        assert (refused.returncode, refused.stderr.partition("\n")[0]) == (
            3,
            "master-0: sudo asks user core for a password, and nobody can type it.",
        )
    off = hardway(workspace, "exec", "master-0", "--", "true")
    assert (off.returncode, "nothing listens on port 22" in off.stderr) == (3, True)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("up", "--until", "08"), "--until 08: the machines are driven from stage 10 on.\n    fix: name stage 10"),
        (("run", "08"), "stage 08 Ignition: does not run on the machines.\n    fix: use `hardway "),
        (("run", "11"), "stage 11 comes after bootstrap-etcd, which waits for etcd on bootstrap"),
        (("exec", "master-7", "--", "true"), "the plan has no 'master-7'"),
        (("exec", "master-0", "--"), "no program is named for master-0"),
    ],
)
def test_what_cannot_be_done_is_refused(workspace, space, words, message):
    done = hardway(workspace, *words)
    assert done.returncode == 2, done.stderr
    assert message in done.stderr


def test_files_that_are_not_built_are_named(tmp_path):
    folder = write_folder(tmp_path / "c", install_config(1, 0))
    command = [sys.executable, "-m", "hardway", "-C", str(folder), "up"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert (
        f"{folder}/assets: the Ignition file of bootstrap, master-0 is missing.\n    fix: make it with" in done.stderr
    )


def test_the_rendered_road_is_refused(tmp_path):
    folder = write_folder(tmp_path / "c", install_config(1, 0))
    (folder / "hardway.yaml").write_text("road: rendered\n")
    with pytest.raises(ConfigError, match=r"hardway\.yaml: the road rendered makes etcd's keys on the bootstrap node"):
        demand_built(folder)
