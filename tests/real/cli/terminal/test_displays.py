"""Displays of work that takes minutes, on a pseudo-terminal, driven by what such work has told."""

from __future__ import annotations

import os
import re
import sys

import pytest

from hardway.io.lock import locked
from tests.support.pseudo_terminal import on_terminal

WIDTHS = [60, 80, 160]

COMPILING = """
import time
from hardway.cli.terminal.work import in_bytes, working
PACKAGES = ["go.etcd.io/raft/v3/raftpb", "google.golang.org/grpc/internal/transport", "k8s.io/api/admission/v1"]
with working() as work:
    work.advance("compiling etcd: component 1 of 3, 0 s: go: downloading go.etcd.io/etcd/server/v3 v3.5.18", 0, 0)
    time.sleep(1.2)
    for done in range(40, 400, 12):
        text = f"compiling etcd: component 1 of 3, {done // 10} s: {PACKAGES[done % 3]}"
        work.advance(text, done, 400)
        time.sleep(0.03)
    fetched = in_bytes(work)
    for done in range(0, 50_000_000, 2_000_000):
        fetched("layer 8d5d5a1c2f30", done, 50_000_000)
        time.sleep(0.02)
    with work.wait("waiting for `hardway lab release build --set operators --push 127.0.0.1:5000/lab`, process 4711"):
        time.sleep(0.5)
    END
print("made")
"""

LAB = """
import time
from hardway.cli.lab.view import watched
from hardway.drive.events import Event
from hardway.drive.milestones.table import TABLE
NODES = ["bootstrap", "master-0", "master-1", "master-2", "worker-0", "worker-1"]
def available():
    return "99.98 % of 12034 requests answered, 2 failed; 0 of 6016 writes lost; 3.4 s without an answer"
with watched(17, "text") as view:
    view.prepare("compiling kubernetes: component 2 of 3, 61 s: k8s.io/kubernetes/pkg/apis/core/validation", 700, 1800)
    time.sleep(1.3)
    view.prepare("unpacking: hyperkube", 2, 6)
    time.sleep(0.3)
    states = dict.fromkeys(NODES, "off")
    view.look(states, lambda: "")
    for number, row in enumerate(TABLE):
        view.event(Event(kind="waiting", seconds=number, stage=row.stage, milestone=row.name, text=row.why.what))
        states[NODES[number % 6]] = ["on", "not Ready", "Ready"][number % 3]
        view.look(states, available)
        time.sleep(0.12)
        if number == 9:
            view.event(Event(kind="trouble", seconds=number, node="master-1", text="connection refused\\nby 6443"))
            STOP
        view.event(Event(kind="reached", seconds=number, stage=row.stage, milestone=row.name, text=row.why.what))
    view.event(Event(kind="acted", seconds=0, stage="17", text="the last verification begins"))
    time.sleep(0.3)
    view.event(Event(kind="finished", seconds=12, stage="17", text="12 checks ran, 0 findings"))
print("lab demo has reached stage 17")
"""

INSTALLING = """
import time
from hardway.cli.install.text import Rows
from hardway.cli.terminal.work import working
from hardway.rhcos.console.row import MILESTONES
from hardway.rhcos.console.read import Reached
from hardway.rhcos.order import ORDER
with working() as work:
    say = Rows("text", work)
    for node in ("master-0", "master-1"):
        say.begun(ORDER[0], node)
    time.sleep(1.3)
    for milestone in MILESTONES:
        say.console("master-0", Reached(milestone=milestone))
        time.sleep(0.4)
    say.ended("master-0", good=True)
    time.sleep(0.3)
    say.ended("master-1", good=False)
"""


def drive(code, columns, rows=40, **settings):
    return on_terminal([sys.executable, "-c", code], columns=columns, rows=rows, **settings)


def drawn(seen, pattern):
    return any(re.search(pattern, line) for picture in seen.pictures for line in picture)


def rows_of(printed):
    return re.split(r"[\r\n]+", re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", printed))


@pytest.mark.parametrize("columns", WIDTHS)
def test_compiling_shows_packages_and_the_time_left_and_nothing_stays(columns):
    seen = drive(COMPILING.replace("END", ""), columns)
    assert seen.code == 0
    assert drawn(seen, r"compiling etcd .*\d+/400 .*\d+ s left")
    assert drawn(seen, r"component 1 of 3, \d+ s: ")
    assert drawn(seen, r"layer 8d5d5a1c2f30 .*/50.0 MB")
    assert drawn(seen, r"^waiting for `hardway lab release build")
    assert seen.text == "made"
    assert not seen.cursor_hidden
    assert max(map(len, rows_of(seen.printed))) <= columns


def test_a_wait_tells_how_long_it_lasts():
    assert drawn(drive(COMPILING.replace("END", ""), 160), r"process 4711 \(\d s\)$")


@pytest.mark.parametrize("display", ["working()", "nullcontext(steps.listen())"])
def test_a_wait_for_a_lock_names_its_holder(tmp_path, display):
    code = f"""
from contextlib import nullcontext
from pathlib import Path
from hardway.cli.terminal import steps
from hardway.cli.terminal.work import working
from hardway.io.lock import locked
with {display}, locked(Path("lock")):
    pass
"""
    with locked(tmp_path / "lock") as handle:
        os.write(handle, b"`hardway build`, process 7")
        seen = drive(code, 160, cwd=tmp_path, ctrl_c_after=" s)")
    assert drawn(seen, r"^waiting for `hardway build`, process 7 \(\d+ s\)$")
    assert not seen.text.startswith("waiting")
    assert not seen.cursor_hidden


@pytest.mark.parametrize("columns", WIDTHS)
def test_ctrl_c_in_the_middle_of_a_compilation(columns):
    seen = drive(COMPILING.replace("END", "time.sleep(60)"), columns, ctrl_c_after="MB")
    assert "KeyboardInterrupt" in seen.text
    assert not re.search("compiling|layer|waiting", seen.text.partition("Traceback")[0])
    assert not seen.cursor_hidden


@pytest.mark.parametrize("columns", WIDTHS)
def test_a_lab_is_one_table_in_place_and_its_last_picture_stays_once(columns):
    seen = drive(LAB.replace("STOP", ""), columns)
    assert seen.code == 0
    assert drawn(seen, r"compiling kubernetes .*700/1800")
    assert drawn(seen, r"unpacking .*2/6")
    assert drawn(seen, r"… +1[0-6] ")
    assert drawn(seen, r"waits for  [a-z-]+: ")
    assert drawn(seen, r"✓ +10 Bootstrap +4 of 4")
    assert [sum(word in line for line in seen.lines) for word in ("master-0", "10 Bootstrap", "available")] == [
        1,
        1,
        1,
    ]
    assert "0 of 6016 writes lost" in " ".join(seen.text.split())
    assert "unpacking" not in seen.text
    assert seen.lines.count("lab demo has reached stage 17") == 1
    assert not seen.cursor_hidden
    assert max(map(len, rows_of(seen.printed))) <= columns


def test_a_lab_on_a_low_terminal_stays_inside_it():
    seen = drive(LAB.replace("STOP", ""), 80, rows=18)
    assert seen.text.count("lab demo has reached stage 17") == 1
    assert all(sum("master-0" in line for line in picture) <= 1 for picture in seen.pictures)


@pytest.mark.parametrize("columns", WIDTHS)
def test_ctrl_c_leaves_nothing_of_a_lab_on_the_terminal(columns):
    seen = drive(LAB.replace("STOP", "time.sleep(60)"), columns, ctrl_c_after="connection refused by 6443")
    assert "KeyboardInterrupt" in seen.text
    assert "master-0" not in seen.text.partition("Traceback")[0]
    assert not seen.cursor_hidden


def test_without_a_terminal_a_lab_is_lines_without_escapes():
    import subprocess

    done = subprocess.run([sys.executable, "-c", LAB.replace("STOP", "")], capture_output=True, text=True, check=True)
    assert "\x1b" not in done.stdout + done.stderr
    assert done.stdout.splitlines()[0].split()[1:3] == ["waiting", "10"]
    assert done.stderr == ""


@pytest.mark.parametrize("columns", WIDTHS)
def test_installing_shows_what_each_machine_does_and_only_the_lines_stay(columns):
    seen = drive(INSTALLING, columns)
    assert seen.code == 0, seen.text
    assert drawn(seen, r"^master-1: switched on \(\d+ s\)")
    assert drawn(seen, r"^master-0: (?!switched on)")
    assert seen.text.splitlines()[-2:] == ["master-0     installed", "master-1     FAILED"]
    assert "master-1: switched on" not in seen.text
    assert not seen.cursor_hidden
