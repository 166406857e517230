"""Every prerequisite finds its defect, names its failure, and is silent on a machine without it."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import replace
from datetime import timedelta
from typing import get_args

import pytest

from hardway.checks import failures
from hardway.checks.files.table import TABLE as CHECKS
from hardway.checks.host.examine import examine, here, remedies
from hardway.checks.host.programs import PROGRAMS, Profile
from hardway.checks.host.sizes import cost
from hardway.checks.host.table import BY_PROFILE, TABLE
from hardway.libvirt.choices import Choices, parse_size
from hardway.model.hosts import HostEntry, Hosts
from hardway.model.hypervisors import Hypervisor
from tests.support.clusters import install_config, load_cluster
from tests.support.entropy import NOW
from tests.support.machines import GOOD, LEVEL_2, machine, planned, without

MASTER_1 = next(n for n in planned().cluster.nodes if n.name == "master-1")


def secret(user: str, password: str, registry: str = "quay.io") -> str:
    auth = b64encode(f"{user}:{password}".encode()).decode()
    return f'{{"auths":{{"{registry}":{{"auth":"{auth}"}}}}}}'


def sized(*sizes: str):
    return planned(choices=Choices(sizes=dict(parse_size(size) for size in sizes)))


# name, the machine, the plan, then: check, failure, severity, and a word of the message
PLANTED = [
    ("no podman", without("podman"), planned(), "host.programs", "", "error", "missing; needed for stage 04. It "),
    ("no skopeo", without("skopeo"), planned(), "host.programs", "", "warning", "missing; needed for stage 04. It "),
    (
        "old haproxy",
        machine(programs={**GOOD.programs, "haproxy": "HAProxy version 1.8.27 2020/11/06"}),
        planned(),
        "host.programs",
        "",
        "error",
        "haproxy is 1.8.27, and 2.2 is needed",
    ),
    ("no kvm", machine(kvm="missing"), planned(), "host.kvm", "", "error", "emulated"),
    ("kvm of others", machine(kvm="denied"), planned(), "host.kvm", "", "error", "may not"),
    (
        "libvirtd is not running",
        machine(libvirt_trouble="Failed to connect socket"),
        planned(),
        "host.libvirt",
        "",
        "error",
        "libvirt does not answer: Failed to connect socket",
    ),
    (
        "old processor",
        machine(cpu_flags=frozenset({*LEVEL_2} - {"sse4_2", "popcnt"})),
        planned(),
        "host.cpu",
        "F39",
        "error",
        "lacks popcnt, sse4_2",
    ),
    ("another architecture", machine(architecture="aarch64"), planned(), "host.cpu", "F39", "error", "aarch64"),
    ("few cores", machine(cpus=4), planned(), "host.cores", "F38", "warning", "16 virtual processors share 4"),
    ("little memory", machine(memory_mib=32 << 10), planned(), "host.memory", "F38", "error", "64 GiB together"),
    ("memory in use", machine(memory_free_mib=16 << 10), planned(), "host.memory", "F38", "warning", "16 GiB are free"),
    ("little disk", machine(disk_free_gib=100), planned(), "host.disk", "F38", "error", "150 GiB"),
    ("disk could fill", machine(disk_free_gib=500), planned(), "host.disk", "F38", "warning", "grow to 720 GiB"),
    ("slow disk", machine(fsync_ms=48.0), planned(), "host.fsync", "F37", "warning", "48.0 ms"),
    ("clock behind", machine(now=NOW - timedelta(hours=5)), planned(), "host.clock", "F02", "error", "made later"),
    (
        "free clock",
        machine(clock_disciplined=False),
        planned(),
        "host.clock",
        "F02",
        "warning",
        "nothing synchronizes it",
    ),
    (
        "a node's address is ours",
        machine(addresses=frozenset({MASTER_1.address})),
        planned(),
        "host.addresses",
        "",
        "error",
        "this machine's own",
    ),
    (
        "a node's address is somebody's",
        machine(neighbours={MASTER_1.address: "aa:bb:cc:00:11:22"}),
        planned(),
        "host.addresses",
        "",
        "error",
        "aa:bb:cc:00:11:22",
    ),
    (
        "the VIP is somebody's",
        machine(neighbours={"192.168.126.10": "aa:bb:cc:00:11:22"}),
        planned(),
        "host.addresses",
        "",
        "error",
        "192.168.126.10",
    ),
    (
        "already in that network",
        machine(addresses=frozenset({"192.168.126.57"})),
        planned(),
        "host.network",
        "",
        "warning",
        "192.168.126.57",
    ),
    *(
        (
            f"{kind} port {port} is taken",
            machine(listening=frozenset({(kind, address, port)})),
            planned(),
            "host.ports",
            "F26",
            "error",
            f"{kind} port {port}",
        )
        for kind, address, port in (
            ("tcp", "0.0.0.0", 6443),
            ("tcp", "::", 22623),
            ("tcp", "::", 80),
            ("tcp", "0.0.0.0", 443),
            ("udp", "0.0.0.0", 53),
            ("tcp", "0.0.0.0", 53),
        )
    ),
    (
        "SELinux",
        machine(selinux_booleans={"haproxy_connect_any": False}),
        planned(),
        "host.selinux",
        "F26",
        "error",
        "haproxy_connect_any",
    ),
    (
        "firewall",
        machine(firewall_zones={"libvirt": frozenset({"80/tcp", "443/tcp", "8443/tcp", "dns"})}),
        planned(),
        "host.firewall",
        "F26",
        "error",
        "6443/tcp, 22623/tcp",
    ),
    (
        "placeholder",
        GOOD,
        planned(pullSecret=secret("example", "example")),
        "given.pull-secret",
        "F11",
        "error",
        "placeholder",
    ),
    (
        "another registry",
        GOOD,
        planned(pullSecret=secret("somebody", "s3cr3t", "registry.example.com")),
        "given.pull-secret",
        "F11",
        "error",
        "no credentials for quay.io",
    ),
    ("no key", GOOD, planned(sshKey=""), "given.ssh-key", "", "warning", "missing"),
    ("small masters", GOOD, sized("master=4,8GiB,120GiB"), "planned.sizes", "F38", "error", "8192 MiB of memory"),
    ("small disks", GOOD, sized("worker=2,8GiB,25GiB"), "planned.sizes", "F38", "error", "25 GiB of disk"),
    ("few processors", GOOD, sized("bootstrap=2,16GiB,120GiB"), "planned.sizes", "F38", "error", "2 processors"),
]


@pytest.mark.parametrize("profile", get_args(Profile))
def test_a_good_machine_has_no_findings(profile):
    report = examine(GOOD, planned(profile))
    assert report.findings == ()
    assert report.ran == tuple(row.name for row in BY_PROFILE[profile])


@pytest.mark.parametrize(
    ("bad", "plan", "check", "failure", "severity", "word"), [p[1:] for p in PLANTED], ids=[p[0] for p in PLANTED]
)
def test_a_planted_defect_is_found_and_nothing_else(bad, plan, check, failure, severity, word):
    (finding,) = examine(bad, plan).findings
    assert (finding.check, finding.failure, finding.severity) == (check, failure, severity)
    assert word in finding.message
    assert finding.fix


def test_machines_too_small_for_the_live_system():
    found = examine(GOOD, sized("worker=2,2GiB,120GiB")).findings
    assert {(f.check, f.failure) for f in found} == {("planned.sizes", "F38"), ("planned.live-memory", "F40")}
    assert all("--size worker=2,8GiB,120GiB" in f.fix for f in found)


def test_every_row_has_a_planted_defect():
    assert {p[3] for p in PLANTED} | {"planned.live-memory"} == {row.name for row in TABLE}


def test_rows_are_complete_and_their_names_are_new():
    names = [row.name for row in TABLE]
    assert len(set(names)) == len(names)
    assert not set(names) & {check.name for check in CHECKS}
    for row in TABLE:
        assert all((row.why.what, row.why.breaks, row.why.readers, row.why.source)), row.name
        assert row.failure in ("", *failures.BY_ID)
    assert {"F02", "F11", "F26", "F37", "F38", "F39", "F40"} <= {row.failure for row in TABLE}


@pytest.mark.parametrize("row", PROGRAMS, ids=lambda row: row.name)
def test_a_missing_program_is_an_error_only_where_it_is_needed(row):
    for profile in get_args(Profile):
        severities = [f.severity for f in examine(without(row.name), planned(profile)).findings]
        expected = ["error"] if profile in row.needed else ["warning"] if profile in row.useful else []
        assert severities == expected


def test_others_that_do_as_well():
    for name, other, said in (("libvirtd", "virtqemud", "9.0.0"), ("oc", "kubectl", "Client Version: v1.31.2")):
        there = {**without(name).programs, other: said}
        assert examine(machine(programs=there), planned()).findings == ()
    old = {**without("oc").programs, "kubectl": "Client Version: v1.28.1"}
    assert "1.30" in examine(machine(programs=old), planned()).findings[0].message


def test_a_program_that_hides_its_version_is_not_accused():
    assert examine(machine(programs={**GOOD.programs, "podman": ""}), planned()).findings == ()


def test_the_sizes_that_are_planned_are_large_enough():
    for masters, workers in ((3, 2), (3, 0), (1, 0), (1, 1), (5, 3)):
        cluster = load_cluster(install_config(masters, workers)).cluster
        plan = replace(planned(), cluster=cluster, cost=cost(cluster), here=cost(cluster))
        assert [f for f in examine(GOOD, plan).findings if f.check.startswith("planned.")] == []


def test_what_a_topology_costs():
    three_two = planned().cost
    assert (three_two.count, three_two.total.memory_mib, three_two.total.vcpus) == (6, 80 << 10, 20)
    assert three_two.peak.memory_mib == 64 << 10, "workers boot when the bootstrap node has gone"
    many = load_cluster(install_config(3, 9)).cluster
    assert cost(many).peak.memory_mib == (48 + 72) << 10


@pytest.mark.parametrize(("user", "password"), [("tok-3f9", "tok-3f9"), ("somebody", "")])
def test_secrets_stay_out_of_findings(user, password):
    (finding,) = examine(GOOD, planned(pullSecret=secret(user, password))).findings
    assert finding.failure == "F11"
    assert user not in repr(finding)


def test_machines_on_other_hosts_do_not_count_for_this_one():
    cluster = planned().cluster
    hypervisors = {"hv2": Hypervisor(connect="qemu+ssh://root@hv2/system"), "near": Hypervisor(connect="qemu:///b")}
    entries = {"master-1": HostEntry(hypervisor="hv2"), "worker-0": HostEntry(hypervisor="near")}
    found = here(cluster, Choices(), Hosts(entries=entries, hypervisors=hypervisors))
    assert [n.name for n in found] == ["bootstrap", "master-0", "master-2", "worker-0", "worker-1"]
    away = here(cluster, Choices(connect="qemu+ssh://root@hv1/system"), Hosts(entries=entries, hypervisors=hypervisors))
    assert [n.name for n in away] == ["worker-0"]
    small = machine(memory_mib=8 << 10, kvm="missing", cpu_flags=frozenset(), cpus=1, disk_free_gib=1)
    empty = replace(planned(), here=cost(cluster, None, ()))
    assert [f for f in examine(small, empty).findings if f.check.startswith("host.")] == []


def test_safe_remedies_are_packages_the_module_selinux_and_the_firewall():
    bad = machine(
        programs={},
        kvm="missing",
        selinux_booleans={"haproxy_connect_any": False},
        firewall_zones={"libvirt": frozenset({"6443/tcp", "22623/tcp", "443/tcp", "8443/tcp"})},
    )
    update, install, load, boolean, now, later = remedies(bad, examine(bad, planned()).findings)
    assert boolean == ("setsebool", "-P", "haproxy_connect_any", "on")
    rule = 'rule family="ipv4" destination address="192.168.126.11" port port="80" protocol="tcp" accept'
    assert now == ("firewall-cmd", "--zone=libvirt", f"--add-rich-rule={rule}")
    assert later == ("firewall-cmd", "--permanent", "--zone=libvirt", f"--add-rich-rule={rule}")
    opened = frozenset({*bad.firewall_zones["libvirt"], rule})
    assert examine(machine(firewall_zones={"libvirt": opened}), planned()).findings == ()
    assert update == ("apt-get", "update")
    assert install[:4] == ("apt-get", "install", "--yes", "--no-install-recommends")
    assert {"podman", "libvirt-daemon-system", "qemu-utils", "haproxy"} <= set(install)
    assert load == ("modprobe", "kvm_amd")
    fedora, arch = replace(bad, system="fedora"), replace(bad, system="arch")
    dnf, *_ = remedies(fedora, examine(fedora, planned()).findings)
    assert dnf[:3] == ("dnf", "install", "--assumeyes")
    assert "coreos-installer" in dnf
    assert remedies(arch, examine(arch, planned()).findings) == (load, boolean, now, later)
    assert remedies(GOOD, examine(GOOD, planned()).findings) == ()
