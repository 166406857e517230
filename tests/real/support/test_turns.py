"""The tests' own order, seen from outside: a few small files under the names of labs, run by a pytest of their own."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hardway.explain.architecture.imports import imported
from tests.support import turn

ROOT = Path(__file__).parents[3]
SETTINGS = """\
from pathlib import Path
from tests.support import turn

turn.LOCK = Path(__file__).with_name("lock")
turn.SECONDS = 1
"""
TEST = """\
import os
import time
from pathlib import Path


def test_it():
    with Path(__file__).parents[2].joinpath("log").open("a") as log:
        log.write(f"{os.environ.get('PYTEST_XDIST_WORKER', 'alone')} {Path(__file__).name}\\n")
    time.sleep(SECONDS)
"""
LABS = ("docs/test_guide.py", "lab/test_a.py", "lab/test_b.py")
LIGHT = tuple(f"unit/test_{n}.py" for n in range(4))


@pytest.fixture
def project(tmp_path):
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --import-mode=importlib --no-loadscope-reorder\n")
    (tmp_path / "conftest.py").write_text(SETTINGS)
    return tmp_path


def write(project, *names, seconds=0.0):
    for name in names:
        path = project / "tests" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(TEST.replace("SECONDS", str(seconds)))


def begin(project, *words):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment["PYTHONPATH"] = os.pathsep.join([str(ROOT), *(p for p in sys.path if p)])
    command = [sys.executable, "-m", "pytest", "-p", "tests.conftest", *words]
    return subprocess.Popen(command, cwd=project, env=environment, stdout=subprocess.PIPE, text=True)


def ran(project):
    """Worker and file, in order."""
    return [line.split() for line in (project / "log").read_text().splitlines()]


def test_one_worker_has_all_labs_first_and_the_others_do_not_wait(project):
    write(project, *LABS, *LIGHT)
    with begin(project, "-n", "3") as run:
        assert run.wait() == 0, run.stdout.read()
    names = [Path(name).name for name in LABS]
    (worker,) = {who for who, name in ran(project) if name in names}
    assert [name for who, name in ran(project) if who == worker][: len(names)] == names
    assert {who for who, name in ran(project) if name not in names} - {worker}


def waits(process):
    """For a lock that somebody else has."""
    return any("->" in line and f" {process.pid} " in line for line in Path("/proc/locks").read_text().splitlines())


def test_a_lab_waits_for_another_runs_and_its_time_limit_does_not_run_meanwhile(project, monkeypatch):
    monkeypatch.setattr(turn, "LOCK", project / "lock")
    others = turn.Turn()
    others.take()
    write(project, "lab/test_a.py", "unit/test_0.py")
    with begin(project) as run:
        while not waits(run):
            assert run.poll() is None, run.stdout.read()
            time.sleep(0.05)
        time.sleep(2)  # twice what the lab's test may take
        assert not (project / "log").exists()
        others.give()
        assert run.wait() == 0, run.stdout.read()
    assert ran(project) == [["alone", "test_a.py"], ["alone", "test_0.py"]]


def test_a_test_that_hangs_is_ended(project):
    write(project, "lab/test_a.py", seconds=600)
    with begin(project) as run:
        said = run.stdout.read()
    assert run.returncode == 1
    assert "Timeout (>1" in said


def test_whoever_makes_a_lab_takes_turns():
    """Who makes one removes it, or has it made by the modules that do."""
    makers = {
        "hardway.lab.removal",
        "tests.lab.machines.lab_place",
        "tests.lab.machines.running_lab",
        "tests.lab.wholes",
    }
    tests = {str(p.relative_to(ROOT)): set(imported(p)) for p in ROOT.glob("tests/**/test_*.py")}
    found = {path for path, names in tests.items() if names & makers}
    assert "tests/lab/test_whole.py" in found
    assert [path for path in sorted(found) if not turn.is_lab(path)] == []
