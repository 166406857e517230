"""Machines that somebody else boots and switches, reached by ssh alone: one master, from stage 10 to the last check."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from hardway.drive.milestones.table import TABLE
from hardway.lab import prepared
from tests.lab.person import Person, follow, told
from tests.lab.wholes import cluster_folder, quiet
from tests.support.hardway_program import COMMAND


@dataclass(frozen=True)
class Theirs:
    """The cluster's folder is another one than the lab's: for `hardway`, there is no lab."""

    folder: Path
    person: Person
    environment: dict[str, str]

    def hardway(self, *words):
        command = [*COMMAND, "-C", str(self.folder), *words]
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False)

    def up(self, *words, stop=lambda event: False):
        with told(["-C", str(self.folder), "up", "-o", "json", *words], self.environment) as process:
            events = follow(process, self.person, stop)
            if not stop(events[-1]):
                process.wait()
        return process.returncode, events


@pytest.fixture(scope="module")
def theirs():
    with cluster_folder(f"o{os.getpid()}", "1+0") as folder:
        made = prepared.prepare(folder, progress=quiet)
        copy = folder.parent / "theirs"
        shutil.copytree(folder, copy)
        programs = Path(made.materials.programs["kubectl"]).parent
        environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}
        yield Theirs(folder=copy, person=Person(made=made), environment=environment)


def test_a_killed_up_goes_on_to_the_last_check(theirs, capsys):
    asked_out = {"asks": "out", "node": "bootstrap"}
    killed, first = theirs.up(stop=lambda event: event.items() >= asked_out.items())
    assert (killed, first[-1]["kind"]) == (-9, "asked"), first[-3:]
    assert theirs.person.asked == [("on", "bootstrap"), ("on", "master-0")]
    waits = [event["text"] for event in first if event["kind"] == "waiting"]
    assert waits
    assert all("(since " in text and "; at most " in text for text in waits)
    code, second = theirs.up()
    assert code == 0, second[-5:]
    assert theirs.person.asked[2:] == [("out", "bootstrap"), ("off", "bootstrap")]
    reached = [event["milestone"] for event in second if event["kind"] == "reached"]
    assert reached == [row.name for row in TABLE]
    figures = json.loads((theirs.folder / "assets/machines/pulse.json").read_text())
    with capsys.disabled():
        print(f"\n  1+0 over ssh: {figures['requests']} requests, {figures['failed']} failed, {figures['lost']} lost")
    assert (figures["failed"], figures["lost"]) == (0, 0), figures["failures"]
    assert figures["writes"] > 100


def test_a_stage_can_be_run_again_and_the_state_can_be_read(theirs):
    done = theirs.hardway("run", "17")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ok     final.service" in done.stdout
    again = theirs.hardway("run", "13")
    assert again.returncode == 0, again.stdout + again.stderr
    seen = json.loads(theirs.hardway("status", "-o", "json").stdout)
    nodes = [(row["name"], row["on"], row["ready"]) for row in seen["machines"]["nodes"]]
    assert nodes == [("bootstrap", False, ""), ("master-0", True, "Ready")]
    assert all(row["reached"] for row in seen["machines"]["milestones"])
    assert (seen["machines"]["next"], seen["machines"]["troubles"]) == (None, {})
    assert {row["state"] for row in seen["stages"] if "10" <= row["stage"] <= "16"} == {"reached"}


def test_programs_logs_and_the_administrators_kubectl(theirs):
    done = theirs.hardway("exec", "master-0", "--", "sh", "-c", "hostname; id -u; exit 7")
    assert (done.returncode, done.stdout) == (7, "master-0\n0\n")
    assert "kubelet" in theirs.hardway("logs", "master-0", "kubelet", "-n", "5").stdout
    nodes = theirs.hardway("kubectl", "get", "nodes", "--output=name")
    assert (nodes.returncode, nodes.stdout) == (0, "node/master-0\n")
