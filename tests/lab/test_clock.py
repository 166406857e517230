"""A cluster whose keys were made by a machine with a clock that is hours ahead: to every node it is not valid yet.

One kernel has one clock, and Go's programs ask it directly, so a single node of a lab cannot live in another time. What
its user would see is the same: certificates that begin later than the clock of whoever looks at them.
"""

from __future__ import annotations

import os
import subprocess

import pytest

from hardway.drive.loop import Options, drive
from hardway.drive.observe import observe
from hardway.lab import prepared
from hardway.model.errors import CheckError
from tests.lab.wholes import cluster_folder, opened, quiet
from tests.support.hardway_program import COMMAND, hardway
from tests.support.waiting import until


def test_the_node_that_waits_is_told_of_its_clock():
    with cluster_folder(f"t{os.getpid()}", "1+0") as folder:
        ahead = ["faketime", "-f", "+6h", *COMMAND, "-C", str(folder), "build", "05"]
        subprocess.run(ahead, check=True, capture_output=True)
        verified = hardway("-C", folder, "verify", "05")
        assert (verified.returncode, "(F02)" in verified.stdout) == (4, True)
        lab = opened(prepared.prepare(folder, progress=quiet), 0)
        lab.prepared.machines.start("bootstrap")
        until(lambda: "not yet valid" in observe(lab.live).etcd_trouble, lambda: observe(lab.live).etcd_trouble)
        with pytest.raises(CheckError, match=r"(?s)bootstrap-etcd: not reached.*not yet valid.*explain failure/F02"):
            drive(lab.live, lab.events.append, Options(until=10, patience=0.0))
