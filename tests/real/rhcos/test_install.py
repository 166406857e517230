"""Machines under the real QEMU boot the ISO that the real coreos-installer made, are installed, and are watched."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator

import pytest

from tests.support.rhcos.lab import Site, said, site

PHASES = ["live", "writing", "written", "rebooted", "configured", "up"]


def test_a_machine_is_installed_watched_and_left_alone_afterwards():
    """The whole file is in the ISO; the user interrupts, and the second run goes on where the first one was."""
    with site() as place:
        code, events, _ = place.install("bootstrap", "--dry-run")
        assert (code, said(events, "plan", "fate")) == (0, ["install"])
        assert not (place.folder / "assets" / "rhcos").exists()
        assert place.interrupted("begun", "bootstrap", "--method", "iso") == 130
        assert stat.S_IMODE((place.pool / "bootstrap.iso").stat().st_mode) == 0o600

        code, events, errors = place.install("bootstrap", "--method", "iso")
        assert code == 0, errors
        assert said(events, "plan", "fate") == ["under way"]
        assert said(events, "milestone", "phase") == PHASES
        assert said(events, "trouble", "name") == []
        assert "bootstrap login:" in place.console("bootstrap")
        assert not (place.pool / "bootstrap.iso").exists()
        assert [p.name for p in (place.folder / "assets" / "rhcos").iterdir()] == ["installed.json"]
        drive = place.lab.virsh("domblklist", place.machine("bootstrap"))
        assert ".iso" not in drive

        code, events, _ = place.install("bootstrap")
        assert (code, said(events, "plan", "fate"), said(events, "begun", "node")) == (0, ["installed"], [])


def test_a_machine_fetches_its_ignition_from_the_server_that_the_installation_runs():
    """The real Ignition, in the machine, over the network of the plan: TLS, token, hash, once."""
    with site() as place:
        code, events, errors = place.install("bootstrap", "--method", "server")
        assert code == 0, errors
        assert said(events, "medium", "way") == ["server"]
        assert said(events, "milestone", "phase") == PHASES
        assert said(events, "request", "what") == ["delivered"]
        assert said(events, "request", "peer")[0].startswith("192.168.126.100")
        ledger = json.loads((place.folder / "assets" / "deliver" / "state.json").read_text())
        pointer = json.loads((place.folder / "assets" / "deliver" / "bootstrap.ign").read_text())
        token = pointer["ignition"]["config"]["replace"]["source"].rpartition("/")[2]
        assert token in place.console("bootstrap")
        assert token not in json.dumps(events) + errors
        assert list(ledger["delivered"]) == ["bootstrap"]


def test_a_machine_that_cannot_be_installed_is_named_and_stops_those_after_it():
    """The disk of the plan is not in the machine; the master is not even begun."""
    with site() as place:
        name = place.machine("bootstrap")
        plan = place.folder / "hosts.yaml"
        plan.write_text("hosts: {bootstrap: {disk: /dev/sda}}\n")
        code, events, errors = place.install("bootstrap", "master-0", "--method", "iso")
        assert code == 3
        assert said(events, "begun", "node") == ["bootstrap"]
        assert said(events, "trouble", "name")[0] == "disk-missing"
        assert "the disk that the plan names is not in the machine" in errors
        assert "console: coreos-installer-service[1240]: Error: checking whether /dev/sda is" in errors
        assert '"fix": "write the disk it has as hosts.bootstrap.disk' in errors

        place.lab.virsh("destroy", name)
        place.until_off("bootstrap")
        code, events, _ = place.install("bootstrap", "--dry-run")
        assert (code, said(events, "plan", "fate")) == (0, ["install"])  # nothing was written to its disk


@pytest.fixture(scope="module")
def still() -> Iterator[Site]:
    """One that no machine is started in."""
    with site() as place:
        yield place


def test_time_is_limited_and_what_was_reached_is_told(still: Site):
    code, events, errors = still.install("master-0", "--method", "iso", "--timeout", "0.001")
    assert code == 3
    assert said(events, "ended", "installed") == [False]
    assert "it timed out" in errors
    assert "its console ends with:" in errors
    still.lab.virsh("destroy", still.machine("master-0"))
    still.until_off("master-0")
    code, _, errors = still.install("master-0", "--dry-run")
    assert code == 0, errors


def test_somebody_elses_system_is_not_overwritten(still: Site):
    still.write_to_disk("master-1")
    code, events, errors = still.install("master-1")
    assert (code, events) == (2, [])
    assert "its disk is not empty, and was not installed from this folder" in errors
    code, events, _ = still.install("master-1", "--again", "--dry-run")
    assert (code, said(events, "plan", "fate")) == (0, ["install again"])


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ((), 2, "no node is named"),
        (("worker-7",), 2, "there is no node 'worker-7'"),
        (("master-2", "--sha256", "0" * 64), 2, '"fix": "fetch the file again'),
        (("master-2", "--method", "server", "--listen", "nowhere"), 2, "is not an IP address"),
    ],
)
def test_bad_input_is_one_clear_message(still: Site, words: tuple[str, ...], code: int, message: str):
    found, _, errors = still.install(*words)
    assert (found, message in errors, "Traceback" in errors) == (code, True, False), errors


def test_a_machine_that_is_not_in_libvirt_is_named(still: Site):
    still.lab.virsh("undefine", still.machine("master-2"), "--nvram")
    code, _, errors = still.install("master-2")
    assert (code, f'"fix": "make it with `hardway -C {still.folder} infra up`' in errors) == (3, True)
