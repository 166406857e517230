"""Boots a node where cgroup v2 is all there is, and tells what became of it; started by test_unified in a mount
namespace of its own, because the machine itself may have hybrid control groups."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from hardway.lab import cgroups, node
from tests.lab.machines import first_disk, running_lab, traces
from tests.support.waiting import until


def main(name: str, folder: Path) -> None:
    told: dict[str, object] = {"mode": cgroups.mode()}
    with running_lab(name, folder) as lab:
        lab.start("bootstrap")
        until(
            lambda: node.enter(lab.paths, "bootstrap", ["systemctl", "is-active", "crio.service"]).ok,
            lambda: node.journal(lab.paths, "bootstrap"),
        )
        told["first"] = lab.run("bootstrap", "tail", "-n1", "/proc/1/cgroup")
        told["kind"] = lab.run("bootstrap", "stat", "--file-system", "--format=%T", "/sys/fs/cgroup")
        info = lab.run("bootstrap", "curl", "--silent", "--unix-socket", "/run/crio/crio.sock", "http://crio/info")
        told["driver"] = json.loads(info)["cgroup_driver"]
        lab.run("bootstrap", "mknod", "/root/disk", "b", *first_disk())
        entered = node.enter(lab.paths, "bootstrap", ["head", "--bytes=1", "/root/disk"])
        told["entered"] = entered.errors.strip().rpartition(": ")[2]
        read = node.enter(
            lab.paths, "bootstrap", ["systemd-run", "--quiet", "--wait", "--pipe", "head", "--bytes=1", "/root/disk"]
        )
        told["disk"] = read.errors.strip().rpartition(": ")[2]
        node.stop(lab.paths, "bootstrap")
        told["stopped"] = node.state(lab.paths, "bootstrap")
    told["traces"] = traces(lab.paths)
    print(json.dumps(told))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
