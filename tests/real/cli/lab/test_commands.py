"""hardway lab where there is no lab: plans, help, and what is wrong said before anything is changed."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess

import pytest

from hardway.cli.lab.group import SECTIONS
from hardway.drive import record
from hardway.drive.events import Event
from hardway.drive.milestones.table import TABLE
from hardway.lab import lock, owner
from hardway.lab.cluster_files import adopt, point_at, reference, write_files
from hardway.lab.paths import lab_paths
from hardway.lab.up import draft
from hardway.model.errors import ToolError
from tests.support.hardway_program import COMMAND, hardway

NAME = f"none{os.getpid()}"  # no other test's, and nobody's
RELEASE = reference("192.168.126.1", "core")
ADDED = ["road: hand", f'release: "{RELEASE}"', 'insecureRegistries: ["192.168.126.1:5000"]']
NOT_ROOT = [
    "setpriv",
    "--reuid=65534",
    "--inh-caps=+dac_override",
    "--ambient-caps=+dac_override",
    "--securebits=+no_setuid_fixup",
]
"""Somebody else, who may read what this test's own Python is made of."""


@pytest.fixture
def state(tmp_path, monkeypatch):
    """Labs of this test alone."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state"


@pytest.fixture
def folder(tmp_path, state):
    place = tmp_path / NAME
    write_files(place, "3+2")
    return place


@pytest.mark.parametrize("name", [name for rows in SECTIONS.values() for name in rows])
def test_every_command_has_help(name):
    done = hardway("lab", name, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Usage: hardway lab" in done.stdout


def test_a_dry_run_says_what_would_be_and_changes_nothing(tmp_path, state):
    done = hardway("-C", tmp_path, "lab", "up", "demo", "--topology", "1+0", "--until", "bootstrap", "--dry-run")
    assert done.returncode == 0, done.stderr
    assert f"lab demo: state in {state}/hardway/labs/demo, cluster in {tmp_path}/demo" in done.stdout
    assert "4 milestones up to stage 10:" in done.stdout
    assert done.stdout.endswith("nothing was changed\n")
    assert list(tmp_path.iterdir()) == []


def test_a_dry_run_as_data(tmp_path, state):
    done = hardway("lab", "up", tmp_path / "demo", "--topology=3+0", "--dry-run", "--output=json")
    plan = json.loads(done.stdout)
    assert [node["name"] for node in plan["nodes"]] == ["bootstrap", "master-0", "master-1", "master-2"]
    assert plan["milestones"][-1] == "settled"


def test_a_road_is_kept_once_it_is_taken(folder, state):
    done = hardway("-C", folder, "lab", "up", "--road", "operators", "--dry-run")
    assert (done.returncode, "road operators\n" in done.stdout) == (0, True), done.stderr
    (folder / "hardway.yaml").write_text("road: operators\n")
    again = hardway("-C", folder, "lab", "up", "--dry-run", "--output=json")
    assert json.loads(again.stdout)["road"] == "operators"
    other = hardway("-C", folder, "lab", "up", "--road", "hand", "--dry-run")
    assert other.returncode == 2
    assert "has the road operators, and was left as it is" in other.stderr
    assert (folder / "hardway.yaml").read_text() == "road: operators\n"


def test_a_lab_that_was_begun_by_hand_stays_so(folder, state):
    point_at(folder, "127.0.0.1:5000/hardway:1")
    done = hardway("-C", folder, "lab", "up", "--road", "operators", "--dry-run")
    assert done.returncode == 2
    assert "has the road hand, and was left as it is" in done.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["up", "--topology", "2+1", "x"], "masters: 1, 3 or 5"),
        (["up", "--until", "pki"], "a lab starts at stage 08"),
        (["up", "--until", "18"], "stage '18' not found"),
        (["up", "--topology", "1+0"], "has 3+2, and was left as it is"),
        (
            ["run", "02"],
            "no lab is up here, so stage 02 cannot run.\n    fix: `hardway -C {folder} lab up --until 08` first",
        ),
        (
            ["run", "5"],
            "no lab is up here, so stage 05 cannot run.\n    fix: `hardway -C {folder} lab up --until 08` first",
        ),
        (
            ["run", "12"],
            "no lab is up here, so stage 12 cannot run.\n    fix: `hardway -C {folder} lab up --until 11` first",
        ),
        (["run", "5", "--dry-run"], "no lab is up here"),
        (["run", "nothing"], "stage 'nothing' not found"),
        (["exec", "mastr-0", "--", "true"], "fix: did you mean master-0?"),
        (["exec", "master-0", "--"], "no program is named for master-0"),
        (["shell", "7"], "has no '7', only bootstrap, master-0,"),
        (["logs", "hapoxy"], "fix: did you mean haproxy?"),
        (["stop", "bootstap"], "fix: did you mean bootstrap?"),
        (["start", "worker-9"], "fix: did you mean worker-"),
        (["start"], "fix: name one node, or give --all and no node"),
        (["start", "--all", "master-0"], "fix: name one node, or give --all and no node"),
        (["kubectl", "get", "nodes"], "fix: bring the lab up"),
        (["status", "nowhere"], "no lab's cluster is here"),
        (["down", "nowhere"], "no lab's cluster is here"),
        (["up", "..", "--dry-run"], "has files but no install-config.yaml, and was left as it is"),
        (["down", "--name", "Not/One"], "cannot be a lab's name"),
    ],
)
def test_what_is_asked_wrongly_is_said_at_once(folder, state, words, message):
    done = hardway("-C", folder, "lab", *words)
    assert done.returncode == 2, done.stderr
    assert message.replace("{folder}", str(folder)) in done.stderr
    assert "Traceback" not in done.stderr
    assert not state.exists()
    assert not (folder / "hardway.yaml").exists()


@pytest.mark.parametrize(
    "words",
    [
        ["exec", "master-0", "id"],
        ["logs", "master-0"],
        ["logs", "haproxy"],
        ["start", "master-0"],
        ["start", "--all"],
        ["stop", "master-0"],
        ["stop", "master-0", "--cut"],
    ],
)
def test_what_is_not_there_cannot_be_entered(folder, words):
    done = hardway("-C", folder, "lab", *words)
    assert done.returncode == 3, done.stderr
    assert f"fix: bring the lab up with `hardway -C {folder} lab up`" in done.stderr


def test_kubectl_neither_waits_nor_compiles_where_no_lab_is(folder, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))  # nothing is compiled there
    config = folder / "assets" / "auth" / "kubeconfig"
    config.parent.mkdir(parents=True)
    config.write_text("")
    done = hardway("-C", folder, "lab", "kubectl", "get", "nodes")
    assert done.returncode == 3, done.stderr
    assert done.stderr == f"lab {NAME}: is not up.\n    fix: bring the lab up with `hardway -C {folder} lab up`\n"
    assert not (tmp_path / "cache").exists()


def test_the_status_of_a_lab_that_is_not_there(folder):
    done = hardway("lab", "status", folder)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"lab       {NAME}, not on this machine yet; `hardway -C {folder} lab up` brings it up\n"
    found = json.loads(hardway("lab", "status", folder, "--deviations", "-o", "json").stdout)
    assert found["up"] is False
    assert {row["kind"] for row in found["deviations"]} == {"node", "image", "manifest", "release"}
    assert all(row["why"] for row in found["deviations"])


def test_where_the_time_went_is_known_from_the_record_alone(folder, state):
    done = hardway("lab", "status", folder, "--timings")
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"lab {NAME} has no record of waits; `hardway -C {folder} lab up` makes one\n"
    lab = lab_paths(NAME, state / "hardway" / "labs" / NAME, cluster=folder)
    owner.claim(lab)
    keep = record.keeping(lab.folder, lambda event: None)
    keep(
        Event(kind="waiting", seconds=2, stage="10", milestone="manifests", text="bootkube.sh to create every manifest")
    )
    keep(
        Event(kind="waiting", seconds=7, stage="13", milestone="drained", text="the API server on bootstrap to finish")
    )
    keep(Event(kind="finished", seconds=78.5, text="every milestone is reached"))
    drained, manifests = hardway("lab", "status", folder, "--timings").stdout.splitlines()
    assert drained.startswith("  71.5 s  from    7 s  13 drained ")
    assert "(--shutdown-delay-duration)" in drained
    assert manifests.startswith("   5.0 s  from    2 s  10 manifests ")
    found = json.loads(hardway("lab", "status", folder, "--timings", "-o", "json").stdout)
    assert [row["milestone"] for row in found["waits"]] == ["drained", "manifests"]


def test_a_finished_cluster_is_known_from_its_folder_and_disks_alone(folder, state):
    """After a restart of the machine: no network, no process, no API; the record and the nodes' roots are there."""
    lab = lab_paths(NAME, state / "hardway" / "labs" / NAME, cluster=folder)
    owner.claim(lab)
    record.add(lab.folder, [row.name for row in TABLE])
    for name in ("bootstrap", "master-0", "worker-0"):
        lab.node(name).mkdir(parents=True)
    done = hardway("lab", "status", folder)
    assert done.returncode == 0, done.stderr
    assert "reached   18 of 18 milestones\n" in done.stdout
    assert f"finished  off now: master-0, worker-0; `hardway -C {folder} lab up` starts them" in done.stdout
    found = json.loads(hardway("lab", "status", folder, "-o", "json").stdout)
    assert (found["finished"], found["off"]) == (True, ["master-0", "worker-0"])
    assert {row["before"] for row in found["milestones"]} == {True}


def test_a_stage_can_be_planned_alone(folder, state):
    owner.claim(lab_paths(NAME, state / "hardway" / "labs" / NAME, cluster=folder))
    done = hardway("-C", folder, "lab", "run", "10", "--dry-run")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("stage 10 Bootstrap\n")
    assert "\n4 milestones of stage 10:\n" in done.stdout
    assert done.stdout.endswith("nothing was changed\n")
    plan = json.loads(hardway("-C", folder, "lab", "run", "05", "--dry-run", "-o", "json").stdout)
    assert plan["settings"] == ADDED[1:]
    assert not (folder / "hardway.yaml").exists()


def test_the_lines_for_the_users_settings_are_told_before_and_kept_after(folder, state):
    (folder / "hardway.yaml").write_text("keys: ecdsa-p256")  # its last line has no end
    shown = hardway("lab", "up", folder, "--dry-run").stdout
    assert f"{folder}/hardway.yaml gets `{'`, `'.join(ADDED)}`\n" in shown
    assert adopt(folder, draft(folder, None)) == ADDED
    assert (folder / "hardway.yaml").read_text().splitlines() == ["keys: ecdsa-p256", *ADDED]
    assert adopt(folder, draft(folder, None)) == []
    owner.claim(lab_paths(NAME, state / "hardway" / "labs" / NAME, cluster=folder))
    done = hardway("lab", "down", folder, "--yes")
    assert f"{folder}/hardway.yaml keeps the lab's lines: `{'`, `'.join(ADDED)}`. Remove them" in done.stdout
    assert done.stdout.endswith(f"lab {NAME}: removed\n")


def test_a_release_of_the_users_own_is_refused_before_anything_is_written(folder, state):
    (folder / "hardway.yaml").write_text("release: registry.example.com/release:4.18.0\n")
    for words in (["up"], ["up", "--dry-run"]):
        done = hardway("-C", folder, "lab", *words)
        assert (done.returncode, "fix: remove `release`" in done.stderr) == (2, True), done.stderr
    assert (folder / "hardway.yaml").read_text() == "release: registry.example.com/release:4.18.0\n"


def test_nothing_is_removed_where_nothing_is(folder):
    done = hardway("lab", "down", folder)
    assert (done.returncode, done.stdout) == (0, f"lab {NAME}: nothing of it is on this machine\n")


@pytest.mark.parametrize(
    "words", [["up"], ["run", "11"], ["status"], ["exec", "master-0", "id"], ["stop", "master-0"], ["down"]]
)
def test_without_root_it_says_what_to_do(folder, state, words):
    command = [*NOT_ROOT, *COMMAND, "-C", folder, "lab", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 3, done.stderr
    assert "fix: run it with sudo" in done.stderr
    assert not state.exists()


def test_one_command_at_a_time(folder, state):
    lab = lab_paths(NAME, state / "hardway" / "labs" / NAME)
    with lock.alone(lab, "`this test`"):
        done = hardway("-C", folder, "lab", "stop", "master-0")
        assert done.returncode == 3
        assert f"lab {NAME}: `this test`, process {os.getpid()} is changing it." in done.stderr
    assert "master-0 does not exist yet" in hardway("-C", folder, "lab", "stop", "master-0").stderr
    assert list(lab.folder.parent.iterdir()) == []


def test_a_lock_ends_with_its_process_and_never_with_its_file(state):
    lab = lab_paths(NAME, state / NAME)
    with lock.alone(lab, "`one`"):
        handle = os.open(lock.path(lab), os.O_RDWR)
    fcntl.flock(handle, fcntl.LOCK_EX)  # of a file that is gone
    with lock.alone(lab, "`two`"), pytest.raises(ToolError, match="`two`, process"), lock.alone(lab, "`three`"):
        pass
    os.close(handle)


def test_completion_knows_nodes_and_stages(folder):
    def complete(*words):
        line = " ".join(["hardway", *map(str, words)])
        variables = {"_HARDWAY_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(len(words))}
        return [row.partition(",")[2] for row in hardway(**variables).stdout.split()]

    assert complete("-C", folder, "lab", "shell", "m") == ["master-0", "master-1", "master-2"]
    assert complete("-C", folder, "lab", "exec", "b") == ["bootstrap"]
    assert complete("-C", folder, "lab", "run", "11") == ["11-masters"]
    assert complete("-C", folder / "nowhere", "lab", "stop", "m") == []
