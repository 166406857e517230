"""A node whose root is hostile: what it cannot do to the machine, and to whoever looks at it or removes it."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest

from hardway.lab import node, removal, rights
from hardway.lab.deviations.row import look
from tests.lab.machines import first_disk, running_lab, traces
from tests.support.waiting import until

NODE = "master-0"
KERNEL = {name: Path("/proc/sys", name).read_text() for name in ("kernel/panic", "vm/overcommit_memory")}
NUMBERS = {
    "CAP_DAC_READ_SEARCH": 2,
    "CAP_LINUX_IMMUTABLE": 9,
    "CAP_SYS_MODULE": 16,
    "CAP_SYS_RAWIO": 17,
    "CAP_SYS_PACCT": 20,
    "CAP_SYS_BOOT": 22,
    "CAP_SYS_TIME": 25,
    "CAP_SYS_TTY_CONFIG": 26,
    "CAP_AUDIT_CONTROL": 30,
    "CAP_MAC_OVERRIDE": 32,
    "CAP_MAC_ADMIN": 33,
    "CAP_SYSLOG": 34,
    "CAP_WAKE_ALARM": 35,
    "CAP_BLOCK_SUSPEND": 36,
    "CAP_AUDIT_READ": 37,
    "CAP_PERFMON": 38,
    "CAP_CHECKPOINT_RESTORE": 40,
}
"""The kernel's own, from capability.h."""
PLANTED = "#!/bin/sh\ngrep CapEff: /proc/self/status\nhead --bytes=1 /root/disk 2>&1\nprintf '\\377\\033[2J'\n"
"""In place of systemctl, which whoever looks at the node calls."""
DIG = "long=$(printf 'd/%.0s' {1..1050}) && mkdir -p $long && cd -P $long && mkdir -p $long"


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    with running_lab(f"h{os.getpid()}", tmp_path_factory.mktemp("cluster")) as found:
        found.start(NODE)
        yield found
    assert traces(found.paths) == []


def test_the_machines_kernel_is_not_the_nodes_to_change(lab):
    until(lambda: lab.run(NODE, "cat", "/proc/sys/kernel/panic") == "10")  # its first service has run
    node.enter(lab.paths, NODE, ["sysctl", "--write", "kernel.panic=7", "vm.overcommit_memory=2"])
    assert {name: Path("/proc/sys", name).read_text() for name in KERNEL} == KERNEL
    until(lambda: lab.run(NODE, "sysctl", "--values", "net.ipv4.ip_forward") == "1")


def without_rights(mask):
    """The capabilities that are missing in a mask of the kernel's, by number."""
    return {number for number in range(41) if not int(mask, 16) >> number & 1}


def by_the_node(lab, words):
    """As root of the node, started by the node itself."""
    return node.enter(lab.paths, NODE, ["systemd-run", "--quiet", "--wait", "--pipe", *words])


def test_a_nodes_root_has_no_rights_over_the_machine(lab):
    status = dict(line.split(":", 1) for line in lab.run(NODE, "cat", "/proc/1/status").splitlines())
    for kind in ("CapBnd", "CapPrm", "CapEff"):
        assert NUMBERS.keys() == {row.name for row in rights.TABLE}
        assert set(NUMBERS.values()) <= without_rights(status[kind].strip())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["insmod", "/etc/hostname"], ("Operation not permitted", "Function not implemented")),  # in a kernel without
        (["date", "--set=@{now}"], ("Operation not permitted",)),
        (["dmesg", "--console-off"], ("Operation not permitted",)),
    ],
    ids=["module", "clock", "kernel log"],
)
def test_what_would_change_the_machine_is_refused_to_a_nodes_root(lab, words, said):
    done = by_the_node(lab, [word.format(now=int(time.time())) for word in words])
    assert not done.ok
    assert done.errors.strip().endswith(said)


def test_a_disk_of_the_machine_cannot_be_read_by_a_nodes_root(lab):
    lab.run(NODE, "mknod", "/root/disk", "b", *first_disk())
    done = by_the_node(lab, ["head", "--bytes=1", "/root/disk"])
    assert not done.ok
    assert "Operation not permitted" in done.errors
    assert lab.run(NODE, "wc", "--bytes", "/dev/kmsg") == "0 /dev/kmsg"  # not this machine's


def test_a_program_that_is_planted_for_whoever_enters_gets_the_nodes_rights_and_devices(lab):
    """`hardway lab status` and `up` run programs of the node: the node's own root has made them."""
    planted = lab.paths.node(NODE) / "root/usr/bin/systemctl"
    content = planted.read_bytes()
    try:
        planted.write_text(PLANTED)
        held, opened, printed = node.state(lab.paths, NODE).split("\n")
    finally:
        planted.write_bytes(content)
    assert set(NUMBERS.values()) <= without_rights(held.split()[1])
    assert opened.endswith("Operation not permitted")
    assert printed == "\ufffd\x1b[2J"


def test_a_program_that_is_roots_on_the_node_is_nobodys_on_the_machine(lab):
    lab.run(NODE, "sh", "-c", "cp /bin/dash /root/dash && chmod 4755 /root/dash && chmod 755 /root")
    for name in ("root", "upper"):
        there = lab.paths.node(NODE) / name / "root/dash"
        assert there.stat().st_mode & 0o4755 == 0o4755
        nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "sh", "-c", f"{there} -c id"]
        done = subprocess.run(nobody, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (126, "")
        assert "Permission denied" in done.stderr


def test_the_machines_files_devices_and_processes_are_not_the_nodes_to_see(lab):
    shown = by_the_node(lab, ["sh", "-c", "ls -d /proc/[0-9]*; cat /proc/*/cmdline; findmnt --raw; ls /dev"]).output
    assert str(os.getpid()) not in shown.split()
    assert "pytest" not in shown
    assert str(lab.folder) not in shown
    assert not {f"/dev/{name}" for name in ("mem", "kvm", "vda", "loop0")} & set(shown.split())


def test_what_a_node_has_made_deeper_than_a_path_can_name_is_removed_with_it(lab):
    """The last one: the lab is gone after it."""
    groups = "/sys/fs/cgroup" if look().cgroups == "v2" else "/sys/fs/cgroup/systemd"
    for place in ("/root", "/var/lib/etcd", groups):
        lab.run(NODE, "bash", "-c", f"cd {place} && {DIG}")
    removal.remove(lab.paths)
    assert traces(lab.paths) == []
