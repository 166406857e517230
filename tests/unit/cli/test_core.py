"""A process that holds keys leaves no core on the disk, however it ends."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import resource, sys
resource.setrlimit(resource.RLIMIT_CORE, (1 << 20, 1 << 20))
from hardway.cli.main import main
sys.argv = ["hardway", "--version"]
try:
    main()
except SystemExit:
    print(*resource.getrlimit(resource.RLIMIT_CORE))
"""


def test_no_core_is_written():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == f"0 {1 << 20}"
