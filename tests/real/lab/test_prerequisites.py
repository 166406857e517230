"""The facts that a lab depends on are read from a real machine: this one."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from hardway.checks.host.lab import PROGRAMS, TABLE
from hardway.lab import prerequisites
from hardway.lab.paths import lab_paths
from hardway.model.check import run
from hardway.model.errors import ToolError
from tests.support.clusters import load_cluster

CLUSTER = load_cluster().cluster


def test_everything_that_is_missing_is_said_at_once(tmp_path):
    """Asked by somebody who is not root and has no programs, for a folder that others cannot get to."""
    code = """
import os, sys
from pathlib import Path
from hardway.lab import paths, prerequisites
from tests.support.clusters import load_cluster
cluster = load_cluster().cluster
os.setuid(65534)
prerequisites.demand(paths.lab_paths("demo", Path(sys.argv[1]) / "closed" / "lab"), cluster)
"""
    (tmp_path / "closed").mkdir(mode=0o700)
    environment = {"PATH": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", code, str(tmp_path)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert "this machine cannot run the lab demo yet" in done.stderr
    assert "fix: run it with sudo" in done.stderr
    for name in ("mmdebstrap", "systemd-nspawn", "haproxy"):
        assert f"the program {name} is missing [lab.programs]" in done.stderr
        assert f"fix: apt-get install {PROGRAMS[name]}" in done.stderr
    assert "is closed to other users" in done.stderr


def test_a_kernel_that_lets_too_few_files_be_watched_is_named_with_its_remedy(tmp_path, monkeypatch):
    limit = tmp_path / "max_user_instances"
    monkeypatch.setattr(prerequisites, "INOTIFY", limit)
    limit.write_text("128\n")
    with pytest.raises(ToolError, match=r"sysctl --write fs\.inotify\.max_user_instances=8192"):
        prerequisites.demand(lab_paths("demo", tmp_path / "lab"), CLUSTER)
    limit.write_text("8192\n")
    findings = run(TABLE, prerequisites.look(lab_paths("demo", tmp_path / "lab"), CLUSTER)).findings
    assert "lab.inotify" not in {f.check for f in findings}
