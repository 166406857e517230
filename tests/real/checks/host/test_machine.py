"""The facts are read from a real machine: this one."""

from __future__ import annotations

import json
import os
import platform
import socket
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from hardway.checks.host import examine as stage
from hardway.checks.host.programs import questions, version_of
from hardway.cli.prerequisites import prerequisites as command
from hardway.explain import atlas
from hardway.model.errors import CheckError, ConfigError, ToolError
from hardway.tools.machine import proc
from hardway.tools.machine import read as tools_machine
from tests.support.clusters import install_config
from tests.support.trees import built, copy_of, write_folder
from tests.support.waiting import until

ZONES = """\
libvirt (active)
  target: ACCEPT
  interfaces: virbr0
  services: dhcp dns ssh tftp
  ports: 6443/tcp
  rich rules:
\trule priority="32767" reject

public
  target: default
  services: ssh
  ports: 80/tcp 443/tcp
"""


def program(folder: Path, name: str, body: str) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def path(tmp_path, monkeypatch):
    """A folder in front of PATH."""
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return folder


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    disks = tmp_path_factory.mktemp("pool") / "not" / "there" / "yet"
    return tools_machine.read(disks=disks, programs=questions(), booleans=("haproxy_connect_any",), probe=True)


def test_this_machine(here):
    assert here.architecture == platform.machine()
    assert here.cpus == os.cpu_count()
    assert here.cpu_flags == set(subprocess.getoutput("grep -m1 ^flags /proc/cpuinfo").partition(":")[2].split())
    assert here.memory_mib == os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20
    assert 0 < here.memory_free_mib <= here.memory_mib
    assert Path(here.disk_folder).is_dir()
    assert here.disk_free_gib > 0
    assert here.kvm == ("ready" if os.access("/dev/kvm", os.W_OK) else here.kvm)
    assert abs(here.now - datetime.now(UTC)) < timedelta(hours=1)
    assert here.fsync_ms is not None
    assert here.fsync_ms >= 0
    assert list(Path(here.disk_folder).iterdir()) == []


def test_addresses_are_those_that_ip_shows():
    """Other tests may make and remove interfaces meanwhile, so a moment of rest is waited for."""

    def rest():
        return proc.addresses() == _shown_by_ip() == proc.addresses()

    until(rest, lambda: f"{proc.addresses()}, but ip shows {_shown_by_ip()}")


def _shown_by_ip():
    links = json.loads(subprocess.run(["ip", "-j", "address"], capture_output=True, check=True).stdout)
    infos = [info for link in links if "UP" in link.get("flags", ()) for info in link["addr_info"]]
    return {info["local"] for info in infos if info["scope"] != "host"}


@pytest.mark.parametrize(("family", "address"), [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")])
def test_whoever_listens_is_seen(family, address):
    with socket.create_server((address, 0), family=family) as tcp, socket.socket(family, socket.SOCK_DGRAM) as udp:
        udp.bind((address, 0))
        wanted = {("tcp", address, tcp.getsockname()[1]), ("udp", address, udp.getsockname()[1])}
        assert wanted <= proc.listening()
    assert not wanted & proc.listening()


def test_programs_say_their_versions(here):
    openssl = version_of(here.programs["openssl"])
    assert openssl is not None
    assert openssl >= (3, 0)
    assert "no-such-program" not in here.programs


def test_a_program_that_fails_hangs_on_nothing_and_is_there(path):
    program(path, "podman", "echo podman version 3.4.4; exit 1")
    program(path, "skopeo", "echo 'not for me' >&2; exit 3")
    (path / "jq").write_text("no program at all")
    (path / "jq").chmod(0o755)
    seen = tools_machine.read(disks=path, programs=questions(), booleans=()).programs
    assert version_of(seen["podman"]) == (3, 4, 4)
    assert seen["skopeo"] == "not for me"
    assert seen["jq"] == ""


def test_firewalld_is_asked_if_it_runs(path):
    quoted = ZONES.replace("\n", "\\n").replace("\t", "\\t")
    program(path, "firewall-cmd", f"[ \"$1\" = --state ] || printf '{quoted}'")
    zones = tools_machine.read(disks=path, programs=(), booleans=()).firewall_zones
    assert zones == {
        "libvirt": {"6443/tcp", "dhcp", "dns", "ssh", "tftp", 'rule priority="32767" reject'},
        "public": {"80/tcp", "443/tcp", "ssh"},
    }
    quoted = quoted.replace('\\trule priority="32767" reject', "")
    program(path, "firewall-cmd", f"[ \"$1\" = --state ] || printf '{quoted}'")
    zones = tools_machine.read(disks=path, programs=(), booleans=()).firewall_zones
    assert "*" in zones["libvirt"], "a zone that accepts all, without libvirt's last rule"
    program(path, "firewall-cmd", "echo not running; exit 252")
    assert tools_machine.read(disks=path, programs=(), booleans=()).firewall_zones is None


def test_selinux_is_read_from_its_file_system(tmp_path, monkeypatch):
    (tmp_path / "booleans").mkdir()
    (tmp_path / "enforce").write_text("1")
    (tmp_path / "booleans/haproxy_connect_any").write_text("0 0")
    monkeypatch.setattr(tools_machine, "SELINUX", tmp_path)
    seen = tools_machine.read(disks=tmp_path, programs=(), booleans=("haproxy_connect_any", "no_such"))
    assert (seen.selinux, seen.selinux_booleans) == ("enforcing", {"haproxy_connect_any": False})


def test_a_disk_that_cannot_be_written(monkeypatch):
    with pytest.raises(ToolError, match="to measure it"):
        tools_machine.read(disks=Path("/proc"), programs=(), booleans=(), probe=True)


@pytest.mark.parametrize("profile", ["build", "own"])
def test_the_report_of_this_machine(profile):
    workspace = built()
    report = stage.prerequisites(workspace.loaded.cluster, workspace.store.root, profile=profile)
    assert "host.programs" in report.ran
    assert all(f.check in report.ran and f.fix for f in report.findings)
    named = {f"check/{name}" for name in report.ran} | {f"failure/{f.failure}" for f in report.findings if f.failure}
    assert named <= {entry.address for entry in atlas.entries(workspace)}


def test_artifacts_from_the_future(tmp_path):
    world = copy_of("default", tmp_path)
    later = (datetime.now(UTC) + timedelta(days=1)).timestamp()
    os.utime(world.root / ".hardway.jsonl", (later, later))
    report = stage.prerequisites(world.cluster, world.root, profile="build")
    assert [f.failure for f in report.errors] == ["F02"]
    assert stage.plan(world.cluster, tmp_path / "nowhere", profile="build").built is None


def call(folder, *words):
    return CliRunner().invoke(command, [*words], obj=folder)


def test_the_command(tmp_path):
    folder = write_folder(tmp_path / "c", install_config())
    done = call(folder, "--cost")
    assert done.exit_code == 0
    assert done.output.splitlines()[-2:] == [
        "all together        20   80 GiB  720 GiB",
        "at once             16   64 GiB  480 GiB",
    ]
    assert json.loads(call(folder, "--cost", "-o", "json").output)["peak"]["memoryMiB"] == 65536
    refused = call(folder, "--size", "master=lots")
    assert isinstance(refused.exception, ConfigError)
    full = call(folder, "--size", "master=4,900000GiB,120GiB", "-o", "json")
    assert isinstance(full.exception, CheckError)
    assert "host.memory" in [f["check"] for f in json.loads(full.output)["findings"]]


def test_fix_runs_the_safe_commands_and_dry_run_runs_none(tmp_path, monkeypatch):
    """The package manager is a stand-in, on a PATH with nothing else, that writes down how it was called."""
    folder, log = write_folder(tmp_path / "c", install_config()), tmp_path / "log"
    for name in ("apt-get", "dnf", "modprobe"):
        program(tmp_path / "programs", name, f'echo "{name} $*" >> {log}')
    monkeypatch.setenv("PATH", str(tmp_path / "programs"))
    shown = call(folder, "--fix", "--dry-run")
    assert shown.exit_code == 0
    assert not log.exists()
    assert isinstance(call(folder, "--fix").exception, CheckError), "what cannot be mended is still wrong"
    ran = log.read_text().splitlines()
    assert [f"would run  {line}" for line in ran] == shown.output.splitlines()
    assert any("install" in line and "podman" in line for line in ran)


def test_the_boolean_of_selinux_is_mended(tmp_path, monkeypatch):
    """There is no SELinux here: its file system and the program that sets a boolean in it are stand-ins."""
    (tmp_path / "selinux/booleans").mkdir(parents=True)
    (tmp_path / "selinux/enforce").write_text("1")
    boolean = tmp_path / "selinux/booleans/haproxy_connect_any"
    boolean.write_text("0 0")
    monkeypatch.setattr(tools_machine, "SELINUX", tmp_path / "selinux")
    for name in ("apt-get", "dnf", "modprobe"):
        program(tmp_path / "programs", name, "exit 0")
    program(tmp_path / "programs", "setsebool", f'[ "$*" = "-P haproxy_connect_any on" ] && echo "1 1" >{boolean}')
    monkeypatch.setenv("PATH", str(tmp_path / "programs"))
    folder = write_folder(tmp_path / "c", install_config())
    before = json.loads(call(folder, "-o", "json").stdout)
    after = json.loads(call(folder, "--fix", "-o", "json").stdout)
    found = [[f["check"] for f in report["findings"] if f["failure"] == "F26"] for report in (before, after)]
    assert ["host.selinux" in checks for checks in found] == [True, False]
    assert boolean.read_text() == "1 1\n"


def test_sizes_and_pool_come_from_the_settings_unless_given(tmp_path):
    folder = write_folder(tmp_path / "c", install_config())
    settings = {"infra": {"pool": str(tmp_path), "sizes": {"worker": "2,2GiB,120GiB"}}}
    (folder / "hardway.yaml").write_text(yaml.safe_dump(settings))
    assert json.loads(call(folder, "--cost", "-o", "json").stdout)["machines"][2]["memoryMiB"] == 2048
    given = call(folder, "--cost", "-o", "json", "--size", "worker=2,16GiB,120GiB").stdout
    assert json.loads(given)["machines"][2]["memoryMiB"] == 16384
    assert "F40" in {f["failure"] for f in json.loads(call(folder, "-o", "json").stdout)["findings"]}


def test_a_fix_that_fails_says_how(tmp_path, monkeypatch):
    for name in ("apt-get", "dnf", "modprobe"):
        program(tmp_path / "programs", name, "echo E: no network >&2; exit 100")
    monkeypatch.setenv("PATH", str(tmp_path / "programs"))
    failed = call(write_folder(tmp_path / "c", install_config()), "--fix").exception
    assert isinstance(failed, ToolError)
    assert "no network" in str(failed)
