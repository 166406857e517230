"""Console text, as machines print it: every row of the tables is met by its own words, and by no other's."""

from __future__ import annotations

import re
from typing import Any

import pytest

from hardway.checks.failures import TABLE
from hardway.rhcos.console.read import TROUBLES, Met, Reached, Watch, remedy
from hardway.rhcos.console.row import MILESTONES
from tests.support.bounded import bounded

LIVE = """\
[    0.000000] Linux version 5.14.0-427.50.1.el9_4.x86_64 (mockbuild@example.com)
[    0.000000] Command line: BOOT_IMAGE=/images/pxeboot/vmlinuz coreos.liveiso=rhcos-418.94.202501221327-0 \
ignition.firstboot ignition.platform.id=metal console=tty0 console=ttyS0,115200n8
[    0.012840] Kernel command line: BOOT_IMAGE=/images/pxeboot/vmlinuz coreos.liveiso=rhcos-418.94.202501221327-0 \
ignition.firstboot ignition.platform.id=metal console=tty0 console=ttyS0,115200n8
         Starting \x1b[0;1;39mIgnition (fetch-offline)\x1b[0m...
[    6.014691] ignition[697]: Ignition 2.20.0
[    6.062180] ignition[697]: fetch-offline: fetch-offline passed
[    6.063111] ignition[697]: Ignition finished successfully
[\x1b[0;32m  OK  \x1b[0m] Reached target \x1b[0;1;39mIgnition Complete\x1b[0m.
"""
WRITING = """\
[   14.592213] coreos-installer-service[1851]: coreos-installer install --config-file \
/etc/coreos/installer.d/0000-customize.yaml --fetch-retries infinite
[   15.697397] coreos-installer-service[1862]: Installing Red Hat Enterprise Linux CoreOS 418.94 (512-byte sectors)
[   16.709402] coreos-installer-service[1862]: > Read disk 112.5 MiB/4.1 GiB (2%)\r\
[   46.709402] coreos-installer-service[1862]: > Read disk 4.1 GiB/4.1 GiB (100%)\r
[   47.000067] coreos-installer-service[1862]: Writing Ignition config
"""
WRITTEN = "[   49.701513] coreos-installer-service[1862]: Install complete.\r\n"
REBOOTED = """\
[  OK  ] Reached target Reboot.
[   52.101513] reboot: Restarting system
[    0.000000] Command line: BOOT_IMAGE=(hd0,gpt3)/boot/ostree/rhcos-1/vmlinuz ignition.firstboot \
ignition.platform.id=metal ostree=/ostree/boot.1/rhcos/1/0 root=UUID=910678ff console=tty0 console=ttyS0,115200n8
"""
CONFIGURED = """\
[   12.014691] ignition[845]: files: createFilesystemsFiles: createFiles: op(1): [finished] writing file "/etc/hostname"
[\x1b[0;32m  OK  \x1b[0m] Reached target \x1b[0;1;39mIgnition Complete\x1b[0m.
"""
UP = "Red Hat Enterprise Linux CoreOS 418.94\r\nSSH host key: SHA256:abc (ED25519)\r\n\r\nmaster-0 login: "
WHOLE = LIVE + WRITING + WRITTEN + REBOOTED + CONFIGURED + UP
GET = '[ 3040.247110] ignition[845]: GET error: Get "https://192.168.126.1:8443/master-0/'
TOKEN = "q0hRZ0m1bWk4c2V0NnZ5dVh6Z2w1c3VwZXJzZWNyZXQ"

PLANTED: dict[str, str] = {
    "cpu-level": "Fatal glibc error: CPU does not support x86-64-v2",
    "memory": "[   12.101010] systemd[1]: Failed to isolate default target, freezing.",
    "space": "[   33.1] coreos-installer-service[1862]: write failed: No space left on device (os error 28)",
    "no-boot": "BdsDxe: No bootable option or device was found.",
    "panic": "[    1.901] Kernel panic - not syncing: VFS: Unable to mount root fs on unknown-block(0,0)",
    "signature": '[   40.2] coreos-installer-service[1862]: gpg: BAD signature from "Fedora (41) <fedora@example.com>"',
    "disk-missing": "[   15.6] coreos-installer-service[1862]: Error: checking whether /dev/sda is an IBM DASD disk",
    "disk-busy": "[   15.6] coreos-installer-service[1862]: found busy partitions",
    "rootfs": "Jul 07 18:28:33 coreos-livepxe-rootfs[798]: No rootfs image found.  Modify your PXE configuration",
    "network-wait": "[FAILED] Failed to start Network Manager Wait Online.",
    "live-download": "[   17.1] coreos-installer-service[862]: Error fetching 'https://example.com/rhcos.raw.gz': 503",
    "config-version": "[    9.1] ignition[845]: failed to fetch config: unsupported config version",
    "config-duplicate": "[    9.1] ignition[845]: error at $.storage.files.4.path: duplicate entry defined",
    "config-invalid": "[    9.1] ignition[845]: failed to fetch config: config is not valid",
    "checksum": "[    9.1] ignition[845]: failed to fetch: hash verification failed (calculated 0 but expected 1)",
    "gone": "[    9.1] ignition[845]: GET result: Gone",
    "forbidden": "[    9.1] ignition[845]: GET result: Forbidden",
    "not-yet-valid": GET + '": x509: certificate has expired or is not yet valid: current time 2025-01-01T00:00:00Z '
    "is before 2026-01-01T00:00:00Z",
    "expired": GET + '": x509: certificate has expired or is not yet valid: current time 2027-01-01T00:00:00Z is after '
    "2026-01-01T00:00:00Z",
    "authority": GET + '": x509: certificate signed by unknown authority (possibly because of "x509: ECDSA '
    'verification failure" while trying to verify candidate authority certificate "root-ca")',
    "name": GET + '": x509: certificate is valid for 192.168.126.1, not 10.0.0.1',
    "dns": GET + '": dial tcp: lookup api-int.ocp4.example.com on [::1]:53: read udp [::1]:38495->[::1]:53: '
    "read: connection refused",
    "unreachable": GET + '": dial tcp 192.168.126.1:8443: connect: network is unreachable',
    "refused": "[***   ] A start job is running for Ignition (fetch) (33min 34s / no limit)"
    + GET
    + '": dial tcp 192.168.126.1:8443: connect: connection refused',
    "server-not-ready": GET + '": EOF',
    "fetch": "[    9.1] ignition[845]: failed to acquire config: failed to fetch resource",
    "ignition": "[    9.1] ignition[845]: Ignition failed: failed to create users/groups: exit status 4",
    "installer": "[   15.6] coreos-installer-service[1862]: Error: install failed",
    "emergency": 'You are in emergency mode. After logging in, type "journalctl -xb" to view system logs.',
}


def watched(text: str) -> Watch:
    watch = Watch()
    watch.feed(text.encode())
    return watch


def test_a_machine_that_is_installed_reaches_every_milestone_and_has_no_trouble():
    watch = Watch()
    events = watch.feed(WHOLE.encode())
    assert [e.milestone.phase for e in events if isinstance(e, Reached)] == [m.phase for m in MILESTONES]
    assert [e for e in events if isinstance(e, Met)] == []
    assert (watch.up, watch.failed) == (True, None)


def test_it_does_not_matter_in_which_pieces_the_console_is_read():
    watch, events = Watch(), []
    for byte in WHOLE.encode():
        events += watch.feed(bytes([byte]))
    assert events == Watch().feed(WHOLE.encode())


def test_what_the_live_system_says_is_not_taken_for_the_installed_one():
    watch = watched(LIVE + "localhost login: core (automatic login)\r\n\r\nlocalhost login: " + WRITING)
    assert watch.phases == ["live", "writing"]
    assert watch.met == {}


def test_firmware_that_looks_at_an_empty_disk_first_is_no_trouble():
    text = "Booting from Hard Disk...\r\nBoot failed: not a bootable disk\r\n\r\nBooting from DVD/CD...\r\n"
    uefi = 'BdsDxe: failed to load Boot0001 "UEFI Misc Device" from PciRoot(0x0)/Pci(0x2,0x3): Not Found\r\n'
    assert watched(text + uefi + WHOLE).met == {}


@pytest.mark.parametrize("name", PLANTED)
def test_a_trouble_is_named_by_its_own_row(name):
    watch = watched(LIVE + PLANTED[name] + "\r\n")
    met = list(watch.met.values())
    assert [m.trouble.name for m in met] == [name]
    assert met[0].line in PLANTED[name]
    assert bool(watch.failed) == (met[0].trouble.weight == "fatal")


def test_a_machine_without_a_name_is_told_once_it_runs_from_its_disk():
    """F15: it would join as localhost."""
    watch = watched(LIVE + WRITING + WRITTEN + REBOOTED + CONFIGURED + "\r\nlocalhost login: ")
    assert watch.failed
    assert (watch.failed.trouble.name, watch.failed.trouble.failure) == ("hostname", "F15")


def test_every_row_is_planted_here():
    assert {t.name for t in TROUBLES} == {*PLANTED, "hostname"}


def test_failure_ids_are_those_of_the_failure_table():
    known = {failure.id for failure in TABLE}
    assert {t.failure for t in TROUBLES} - {""} <= known
    assert {"F01", "F02", "F03", "F05", "F06", "F15", "F16", "F20", "F21", "F26", "F39", "F40"} <= {
        t.failure for t in TROUBLES
    }


def test_every_row_says_what_it_means_and_what_to_do():
    for row in TROUBLES:
        assert row.meaning
        assert row.fix
        assert not row.meaning.endswith(".")


def test_what_is_retried_and_comes_right_is_forgotten():
    refused = PLANTED["refused"] + "\r\n"
    watch = watched(LIVE + WRITING + WRITTEN + REBOOTED + refused * 3)
    assert list(watch.met) == ["refused"]
    watch.feed((CONFIGURED + UP).encode())
    assert (watch.up, watch.met) == (True, {})


def test_the_cause_of_an_emergency_is_what_went_wrong_before():
    text = PLANTED["authority"] + "\r\n" + PLANTED["emergency"] + "\r\n"
    watch = watched(LIVE + WRITING + WRITTEN + REBOOTED + text)
    assert watch.failed
    assert watch.cause
    assert (watch.cause.trouble.name, watch.failed.trouble.name) == ("authority", "emergency")


def test_a_machine_that_has_stopped_is_to_be_installed_anew():
    rows = {t.name: remedy(t, "master-0") for t in TROUBLES}
    assert rows["cpu-level"].endswith("; then `hardway install master-0 --again`")
    assert [name for name, fix in rows.items() if fix.count("--again") > 1 or "NODE" in fix] == []
    assert {t.name for t in TROUBLES if t.weight == "fatal" and "--again" not in rows[t.name]} == set()


def test_a_token_on_the_console_is_not_repeated():
    assert len(TOKEN) == 43
    line = f'[    9.1] ignition[845]: GET error: Get "https://192.168.126.1:8443/master-0/{TOKEN}": EOF\r\n'
    watch = watched(line)
    assert TOKEN not in repr(watch)
    assert watch.met["server-not-ready"].line.endswith('master-0/…": EOF')


def test_bytes_that_are_no_text_do_no_harm():
    watch = Watch()
    watch.feed(b"\xff\xfe\x00\x1b[2J\x1b[01;01H" + WHOLE.encode())
    assert watch.up


def test_no_pattern_takes_long_over_a_hostile_line():
    """Nested repetition would make one line cost hours; each pattern must be through a long one at once."""
    line = "GET error: " + "x509: ".ljust(20000, "a") + "[failed" * 2000
    rows: tuple[Any, ...] = (*TROUBLES, *MILESTONES)
    for row in rows:
        assert isinstance(row.pattern, re.Pattern)
        row.pattern.search(line)


@pytest.mark.parametrize("pieces", [1, 100])
def test_only_the_end_of_a_long_line_is_read(pieces):
    """A pattern of two parts takes the square of the length, so a line that has ended is cut as well."""
    watch = Watch()
    text = b"far rootfs".ljust(5000) + b"does not match\nnear rootfs".ljust(3000) + b"does not match\n"
    size = len(text) // pieces
    events = [event for at in range(0, len(text), size) for event in watch.feed(text[at : at + size])]
    assert [e.line[:4] for e in events if isinstance(e, Met)] == ["near"]


def test_a_long_line_costs_no_more_than_a_short_one():
    """A child has a minute of processor time; uncut, this line takes several."""
    done = bounded(lambda: Watch().feed(b"rootfs" * 60_000 + b"\n"))
    assert done.returncode == 0, done.stderr[-600:]


@pytest.mark.parametrize("mark", ["\x7f", "\x80", "\x9b", "\x9f", "\u202a", "\u202e", "\u2066", "\u2069"])
def test_what_steers_a_terminal_or_turns_the_text_is_not_told(mark):
    watch = watched(f"No bootable {mark}device\n")
    assert watch.last == "No bootable device"
    assert list(watch.met) == ["no-boot"]
