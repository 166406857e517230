"""Power and media by Redfish: sushy-tools' emulator in front of a machine of a real libvirt."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from contextlib import contextmanager

import pytest
import yaml

from hardway.libvirt.facts import parse
from hardway.model.errors import ToolError
from hardway.places.power.choose import redfish_of
from hardway.places.remembered import Place, remember
from hardway.workspace.folder import open_workspace
from tests.support.bmc import PASSWORD, USER, emulator
from tests.support.clusters import install_config
from tests.support.https import Handler, served
from tests.support.libvirt.guest import boot_image
from tests.support.libvirt.host import libvirt
from tests.support.registry.tls import Authority
from tests.support.trees import build_folder, write_folder
from tests.support.waiting import until

AUTHORITY = Authority()


class Images(Handler):
    """The user's own web server, with the machine's medium."""

    def do_GET(self):
        self.answer(200, boot_image().read_bytes())

    def do_HEAD(self):
        self.answer(200, b"")


@pytest.fixture(scope="module")
def lab():
    with libvirt() as started:
        yield started


@pytest.fixture(scope="module")
def folder(lab):
    """Built, and with its machines; for hardway, libvirt does not have them: somebody owns them."""
    made = build_folder(write_folder(lab.folder / "bmc", install_config(1, 0, metadata={"name": "bmc"}))).folder
    lab.infra(made, "up", "--firmware", "bios")
    remember(made, Place(kind="own"))
    (made / "ca.pem").write_bytes(AUTHORITY.pem)
    return made


@pytest.fixture(scope="module")
def address(lab, folder):
    name = (folder / "assets/plan/infra-id").read_text()
    system = lab.virsh("domuuid", f"{name}-master-0").strip()
    (lab.folder / "bmc-of-master-0").mkdir()
    with emulator(lab.folder / "bmc-of-master-0", AUTHORITY, lab.connect, name) as base:
        yield f"{base}/redfish/v1/Systems/{system}"


@contextmanager
def described(folder, address, password=PASSWORD, mode=0o600, **changes):
    """hosts.yaml says where the BMC is."""
    (folder / "password").write_text(f"{password}\n")
    (folder / "password").chmod(mode)
    row = {"address": address, "username": USER, "passwordFile": "password", "trustBundle": "ca.pem"} | changes
    (folder / "hosts.yaml").write_text(yaml.safe_dump({"hosts": {"master-0": {"bmc": row}}}))
    yield redfish_of(open_workspace(folder))


def hardway(folder, *words, **environment):
    command = [sys.executable, "-m", "hardway", "-C", str(folder), *words]
    return subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=False)


def domain(lab, folder):
    return f"{(folder / 'assets/plan/infra-id').read_text()}-master-0"


def test_a_machine_starts_from_a_medium_once_and_the_drive_is_emptied(lab, folder, address, tmp_path):
    with described(folder, address), served(Images, AUTHORITY, tmp_path / "images") as images:
        url = f"https://127.0.0.1:{images.server_address[1]}/master-0.iso"
        assert json.loads(hardway(folder, "bmc", "status", "-o", "json").stdout) == [
            {"node": "master-0", "power": "off", "medium": "", "trouble": ""}
        ]
        done = hardway(folder, "bmc", "boot", "master-0", "--url", url)
        assert done.returncode == 0, done.stderr
        console = folder / "pool" / "master-0-console.log"
        until(lambda: "guest: firmware=bios" in console.read_text(errors="replace"), console.read_text, seconds=300)
        first = parse(lab.virsh("dumpxml", domain(lab, folder))).find("devices/disk[@device='cdrom']/boot")
        assert (first is not None and first.get("order")) == "1", "the disk would come first"
        assert hardway(folder, "bmc", "status").stdout.split()[::2] == ["master-0", url]
        assert hardway(folder, "bmc", "eject", "master-0").stdout == "master-0: the drive is empty\n"
        assert hardway(folder, "bmc", "status").stdout.split()[2:] == []
        assert ".iso" not in lab.virsh("dumpxml", domain(lab, folder), "--inactive")


def test_a_bmc_switches_its_machine(lab, folder, address):
    with described(folder, address) as redfish:
        assert hardway(folder, "start", "master-0").stdout == "master-0 is on\n"
        assert lab.virsh("domstate", domain(lab, folder)).strip() == "running"
        assert redfish.state("master-0") == "on"
        assert hardway(folder, "stop", "master-0", "--cut").stdout == "master-0 is off\n"
        assert lab.virsh("domstate", domain(lab, folder)).strip() == "shut off"


def trouble(redfish):
    with pytest.raises(ToolError) as caught:
        redfish.state("master-0")
    return str(caught.value)


def test_a_wrong_password_is_told_and_not_printed(folder, address):
    with described(folder, address, password="wrong staple") as redfish:
        said = trouble(redfish)
        done = hardway(folder, "bmc", "status", "-v")
    assert f" refuses user {USER}.\n    fix: correct username, or the file that passwordFile names" in said
    assert done.returncode == 3
    assert "staple" not in done.stdout + done.stderr


def test_a_bmc_that_does_not_answer_is_told(folder):
    with socket.socket() as line:
        line.bind(("127.0.0.1", 0))  # and nobody listens
        with described(folder, f"https://127.0.0.1:{line.getsockname()[1]}") as redfish:
            said = trouble(redfish)
            done = hardway(folder, "bmc", "status")
    assert said.endswith(
        " does not answer.\n    fix: see that it has power and a way to it, and correct address in hosts.yaml"
    )
    assert (done.returncode, done.stderr) == (3, f"{said}\n"), "the library says nothing besides"


def test_a_certificate_that_does_not_fit_is_told(lab, folder, address, tmp_path):
    (folder / "other.pem").write_bytes(Authority().pem)
    with described(folder, address, trustBundle="other.pem") as redfish:
        unknown = trouble(redfish)
    with (
        emulator(tmp_path, AUTHORITY, lab.connect, "none", name="192.0.2.1") as base,
        described(folder, base) as redfish,
    ):
        other = trouble(redfish)
    assert " shows a certificate that does not fit: " in unknown
    assert "IP address mismatch, certificate is not valid for '127.0.0.1'.\n    fix: put its CA" in other


def test_a_system_that_the_bmc_does_not_have_is_told(folder, address):
    base = address.partition("/redfish")[0]
    with described(folder, f"{base}/redfish/v1/Systems/7") as redfish:
        assert " has no /redfish/v1/Systems/7.\n    fix: correct address" in trouble(redfish)
    with described(folder, base) as redfish:
        assert " has several systems, or none.\n    fix: name one in address" in trouble(redfish)


@pytest.mark.parametrize(
    ("changes", "code", "message"),
    [
        ({"mode": 0o644}, 2, "/password: others can read the password of master-0.\n    fix: run `chmod 600 "),
        (
            {"passwordFile": "none"},
            2,
            "/none: there is no such file, and master-0 needs it.\n    fix: write the password",
        ),
        ({"trustBundle": "none"}, 2, "/none: there is no such file.\n    fix: correct trustBundle of master-0"),
    ],
)
def test_files_that_are_not_right_are_told(folder, changes, code, message):
    with described(folder, "https://192.0.2.1", **changes):
        done = hardway(folder, "bmc", "status")
    assert (done.returncode, message in done.stderr) == (code, True), done.stderr


def test_without_the_library_the_fix_names_it(folder, tmp_path):
    (tmp_path / "sushy.py").write_text("raise ImportError\n")
    with described(folder, "https://192.0.2.1"):
        done = hardway(folder, "bmc", "status", PYTHONPATH=str(tmp_path))
    assert done.returncode == 3
    assert "sushy: not installed, and Redfish needs it.\n    fix: install hardway with it: `pip install" in done.stderr


def test_a_medium_is_fetched_over_https_alone(folder):
    with described(folder, "https://192.0.2.1"):
        done = hardway(folder, "bmc", "boot", "master-0", "--url", "http://192.0.2.9/master-0.iso")
        other = hardway(folder, "bmc", "eject", "master-1")
    assert (done.returncode, "the ISO holds keys, and must be sent over https" in done.stderr) == (2, True)
    assert (other.returncode, "hosts.yaml, with a BMC, has no 'master-1', only master-0" in other.stderr) == (2, True)
