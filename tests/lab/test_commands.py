"""hardway lab, as a user types it: one master, interrupted and taken up again, looked at, driven on, removed."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from hardway.lab import node, removal
from hardway.lab.cluster_files import write_files
from hardway.lab.lock import path as lock_of
from hardway.lab.paths import LabPaths, lab_paths
from tests.lab.machines import networking, traces
from tests.lab.watched import Watched, watched
from tests.support.hardway_program import COMMAND, hardway
from tests.support.pseudo_terminal import Seen, on_terminal
from tests.support.waiting import until


@dataclass(frozen=True)
class Used:
    paths: LabPaths
    folder: Path
    state: str
    second: subprocess.CompletedProcess[str]  # an `up` while another was at work
    interrupted: tuple[int, str]  # exit code and message of the first `up`, after Ctrl-C
    seen: Seen  # the `up` that went on, on a terminal of 80 columns
    watched: Watched  # a page that was open all the time

    def hardway(self, *words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        command = [*COMMAND, "-C", str(self.folder), "lab", *words]
        environment = {**os.environ, "XDG_STATE_HOME": self.state}
        return subprocess.run(command, env=environment, input=stdin, capture_output=True, text=True, check=False)

    def status(self):
        done = self.hardway("status", "-o", "json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


def planned(folder: Path) -> Path:
    """One master on a network that nobody else has."""
    write_files(folder, "1+0")
    config = yaml.safe_load((folder / "install-config.yaml").read_text())
    config["networking"] = networking()
    (folder / "install-config.yaml").write_text(yaml.safe_dump(config))
    return folder


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    name = f"c{os.getpid()}"
    folder = planned(tmp_path_factory.mktemp("labs") / name)
    with tempfile.TemporaryDirectory(prefix="hardway-lab-", dir="/var/tmp") as state:
        os.chmod(state, 0o711)
        place = lab_paths(name, Path(state) / "hardway" / "labs" / name)
        try:
            with watched(folder, XDG_STATE_HOME=state) as page:
                used = brought_up(place, folder, state, page)
            yield used
        finally:
            removal.remove(place)


def brought_up(place: LabPaths, folder: Path, state: str, page: Watched) -> Used:
    """Ctrl-C as soon as etcd answers; a second `up` meanwhile; and a third one that goes on."""
    up = ["lab", "up", str(folder), "--until", "11", "-o", "json"]
    environment = {**os.environ, "XDG_STATE_HOME": state}
    with subprocess.Popen(
        [*COMMAND, *up], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as first:
        until(lock_of(place).exists, lambda: "the first `up` has no lock")
        second = hardway(*up, XDG_STATE_HOME=state)
        for line in first.stdout:
            if json.loads(line).get("milestone") == "bootstrap-api":
                first.send_signal(signal.SIGINT)
                break
        _, said = first.communicate()
    seen = on_terminal([*COMMAND, *up[:-2]], columns=80, rows=60, XDG_STATE_HOME=state)
    assert seen.code == 0, seen.text
    until(lambda: page.has_reached("masters-ready"), lambda: page.looks[-1].text)
    stopped = (first.returncode, said)
    return Used(paths=place, folder=folder, state=state, second=second, interrupted=stopped, seen=seen, watched=page)


def test_only_one_comes_up_at_a_time(lab):
    assert lab.second.returncode == 3
    assert f"lab {lab.paths.name}: `hardway lab up`, process" in lab.second.stderr


def test_an_interrupted_start_says_so_and_goes_on(lab):
    code, said = lab.interrupted
    assert code == 130
    assert "run the same command again to continue" in said
    assert f"lab {lab.paths.name} has reached stage 11. Next:" in lab.seen.text


def test_a_terminal_shows_the_work_and_then_the_nodes_and_stages(lab):
    """Preparing has at most one row at a time, if it takes long enough to be drawn; and the last picture stays."""
    rows = [
        [row for row in picture if re.match(".  (packing|pushing|unpacking)", row)] for picture in lab.seen.pictures
    ]
    assert max(map(len, rows)) <= 1
    for line in (r"^… +1[01] \w+ +\d of \d +for \d+ s$", r"^  waits for  [a-z-]+: "):
        assert any(re.search(line, row) for picture in lab.seen.pictures for row in picture), line
    for line in (r"^✓  10 Bootstrap +4 of 4 +after ", r"^✓  11 Masters +1 of 1 +after ", r"^✓  master-0   Ready +\d"):
        assert len([row for row in lab.seen.lines if re.search(line, row)]) == 1, lab.seen.text
    assert "  available  100.00 % of " in lab.seen.text
    assert not lab.seen.cursor_hidden


def test_a_page_that_is_open_from_the_beginning_shows_what_happens(lab):
    first, *later = lab.watched.looks
    assert "There is no record of this cluster coming up" in first.text
    assert all(look.same for look in lab.watched.looks)  # it was never loaded again
    assert any("bootstrap-etcd" in look.reached and "masters-ready" not in look.reached for look in later)
    for said in ("etcd-bootstrap", "kube-apiserver", "client: signed", "serving: signed", "requests, 0 failed"):
        assert any(said in look.text for look in later), f"{said}: {later[-1].text}"
    assert len({look.text for look in later}) > 5
    assert lab.watched.complaints == []


def test_status_knows_nodes_members_and_milestones(lab):
    found = lab.status()
    assert found["up"] is True
    assert all(found["services"].values())
    assert [(n["name"], n["ready"]) for n in found["nodes"]] == [("bootstrap", ""), ("master-0", "Ready")]
    assert found["members"] == [{"name": "etcd-bootstrap", "state": "leader"}]
    waiting = next(row for row in found["milestones"] if not row["reached"])
    assert waiting["name"] == "etcd-grown"
    assert (found["pulse"]["failed"], found["pulse"]["lost"]) == (0, 0)
    assert found["pulse"]["requests"] > 0
    text = lab.hardway("status").stdout
    assert "next      12 etcd-grown: waits for master-0" in text
    assert f"available {found['pulse']['requests']} requests, 0 failed" in text


def test_exec_hands_input_and_exit_code_on(lab):
    done = lab.hardway("exec", "master-0", "--", "sh", "-c", "hostname; cat; exit 77", stdin="words")
    assert (done.returncode, done.stdout) == (77, "master-0\nwords")
    assert lab.hardway("shell", "bootstrap", stdin="hostname; exit 5").returncode == 5


def test_the_commands_that_work_everywhere_do_what_those_of_the_lab_do(lab):
    def hardway(*words):
        command, environment = [*COMMAND, "-C", str(lab.folder), *words], {**os.environ, "XDG_STATE_HOME": lab.state}
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    done = hardway("exec", "master-0", "--", "sh", "-c", "hostname; exit 77")
    assert (done.returncode, done.stdout) == (77, "master-0\n")
    assert len(hardway("logs", "master-0", "--lines", "3").stdout.splitlines()) == 3
    assert hardway("kubectl", "get", "nodes", "--output=name").stdout == "node/master-0\n"
    assert json.loads(hardway("status", "-o", "json").stdout)["place"] == {"kind": "lab"}
    assert hardway("down", "--dry-run").stdout.endswith(f"lab {lab.paths.name}: nothing was changed\n")
    assert "lab shell master-0`\n" in hardway("ssh", "master-0").stderr


def test_logs_of_units_and_services(lab):
    said = lab.hardway("logs", "bootstrap", "bootkube", "-n", "500")
    assert said.returncode == 0, said.stderr
    assert "bootkube:" in said.stdout
    assert len(lab.hardway("logs", "master-0", "--lines", "3").stdout.splitlines()) == 3
    assert "api/bootstrap" in lab.hardway("logs", "haproxy").stdout


def test_a_console_does_not_speak_to_the_terminal_of_who_reads_it(lab):
    """What a node's first program prints, which its root can choose for the next boot."""
    with node.console(lab.paths, "master-0").open("ab") as console:
        console.write(b"planted \x1b]0;title\x07 \xff\n")
    said = lab.hardway("logs", "master-0", "console", "--lines", "1").stdout
    assert said == "planted \\x1b]0;title\\x07 \ufffd\n"


def test_kubectl_is_the_administrators(lab):
    done = lab.hardway("kubectl", "get", "nodes", "-o", "name")
    assert (done.returncode, done.stdout) == (0, "node/master-0\n")
    assert lab.hardway("kubectl", "auth", "can-i", "*", "*").stdout == "yes\n"
    assert lab.hardway("kubectl", "get", "node", "stranger").returncode == 1


def test_a_second_lab_cannot_have_the_same_network(lab, tmp_path):
    other = tmp_path / f"d{os.getpid()}"
    other.mkdir()
    (other / "install-config.yaml").write_text(
        (lab.folder / "install-config.yaml").read_text().replace(lab.paths.name, other.name)
    )
    done = hardway("lab", "up", other, XDG_STATE_HOME=lab.state)
    assert done.returncode == 3
    assert f"which this machine reaches through {lab.paths.link}" in done.stderr
    assert sorted(p.name for p in other.iterdir()) == ["install-config.yaml"]


def test_stages_go_in_order(lab):
    done = lab.hardway("run", "13")
    assert done.returncode == 2
    assert "stage 13 comes after etcd-grown" in done.stderr
    assert f"fix: `hardway -C {lab.folder} lab run 12` first" in done.stderr


def test_a_node_is_switched_off_and_on(lab):
    assert lab.hardway("stop", "master-0").stdout == "master-0 is off\n"
    assert {n["name"]: n["state"] for n in lab.status()["nodes"]}["master-0"] == "off"
    done = lab.hardway("exec", "master-0", "true")
    assert done.returncode == 3
    assert f"fix: start it with `hardway -C {lab.folder} lab start master-0`" in done.stderr
    assert lab.hardway("logs", "master-0", "kubelet").returncode == 0
    assert lab.hardway("start", "master-0").stdout.startswith("master-0 is ")
    assert lab.hardway("exec", "master-0", "hostname").stdout == "master-0\n"
    assert lab.hardway("run", "11").returncode == 0  # until it is Ready again


def test_a_stage_alone_with_its_why_and_its_verification(lab):
    done = lab.hardway("run", "12")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("stage 12 Control plane on the masters\n  why      etcd gets a member on each master")
    assert "\nverified:\n  ok     etcd-grown: Every master has a member with a vote" in done.stdout
    assert done.stdout.endswith("next: hardway lab run 13\n")
    members = {row["name"]: row["state"] for row in lab.status()["members"]}
    assert members.keys() == {"etcd-bootstrap", "master-0"}
    assert set(members.values()) == {"leader", "voter"}
    prepared = lab.hardway("run", "09", "-o", "json")
    assert [json.loads(line)["ok"] for line in prepared.stdout.splitlines()] == [True, True]


def down_killed_at(lab, program):
    """As soon as it is about to run this program; it alone dies, and what it has started comes to its own end."""
    command = [*COMMAND, "-v", "-C", str(lab.folder), "lab", "down", "--yes"]
    environment = {**os.environ, "XDG_STATE_HOME": lab.state}
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as it:
        assert any(line.startswith(f"run    {program} ") for line in it.stderr), f"{program} was never run"
        it.kill()


def test_down_leaves_nothing_and_keeps_the_folder(lab):
    before = lab.hardway("down", "--dry-run")
    assert before.stdout.endswith("nothing was changed\n")
    assert f"interface {lab.paths.link}" in before.stdout
    assert lab.status()["up"] is True
    refused = lab.hardway("down", "-o", "json")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert json.loads(refused.stderr)["fix"] == "give --yes"
    assert lab.status()["up"] is True
    for program in ("umount", "ip netns del", "find", "rm"):
        down_killed_at(lab, program)
    done = lab.hardway("down", "--yes")
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith(f"lab {lab.paths.name}: removed\n")
    assert traces(lab.paths) == []
    assert list(lab.paths.folder.parent.iterdir()) == []
    assert (lab.folder / "assets" / "auth" / "kubeconfig").exists()
    assert lab.status()["up"] is False
    assert "nothing of it is on this machine" in lab.hardway("down").stdout
