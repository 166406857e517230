"""Pure cgroup v2, which most machines have: boot, runtime, stop and removal, whatever this machine has itself.

Where the machine's controllers are v1's, none is left for v2: pods cannot run then, and this test does not ask for any.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys


def test_a_node_boots_and_goes_under_cgroup_v2(tmp_path):
    mount = 'mount -t cgroup2 none /sys/fs/cgroup && exec "$@"'
    python = [sys.executable, "-m", "tests.lab.unified", f"w{os.getpid()}", str(tmp_path)]
    command = ["unshare", "--mount", "--propagation", "private", "sh", "-c", mount, "sh", *python]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == {
        "mode": "v2",
        "first": "0::/init.scope",
        "kind": "cgroup2fs",
        "driver": "systemd",
        "entered": "Operation not permitted",
        "disk": "Operation not permitted",
        "stopped": "off",
        "traces": [],
    }
