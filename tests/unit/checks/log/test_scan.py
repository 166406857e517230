"""A log is read once, in bounded memory, by two ways that agree; time decides what is normal."""

from __future__ import annotations

from io import BytesIO

import pytest

from hardway.checks.log import sieve
from hardway.checks.log.scan import anchors, scan
from hardway.checks.log.table import ROWS, TABLE
from hardway.checks.log.times import Moment, moment
from hardway.model.check import run

EOF = 'ignition[754]: GET error: Get "https://api-int.ocp4.example.com:22623/config/master": EOF'
EXPIRED = (
    "x509: certificate has expired or is not yet valid: current time 2026-11-16T10:00:00Z is after 2026-11-15T10:00:00Z"
)


def findings(*lines):
    return run(TABLE, scan(BytesIO("\n".join(lines).encode()), "log", ROWS)).findings


def test_a_finding_has_the_line_its_number_and_how_often():
    [found] = findings("all is well", EXPIRED, "more", EXPIRED, EXPIRED)
    assert (found.subject, found.failure, found.severity) == ("log:2", "F01", "error")
    assert EXPIRED in found.message
    assert "3 lines like this, the last is 5" in found.message


def test_no_control_character_is_handed_on():
    [found] = findings(f"\x1b]0;title\x07{EXPIRED}\x1b[2J\r\x9b31m\u202e")
    assert found.message.isprintable()
    assert "\\x1b" in found.message


@pytest.mark.parametrize(
    ("times", "severities"),
    [
        (("12:00:00", "12:05:00"), ["warning"]),
        (("12:00:00", "12:25:00"), ["error"]),
        (("12:00:00",), ["warning"]),
    ],
)
def test_what_is_normal_at_first_is_a_failure_when_it_lasts(times, severities):
    found = findings(*(f"Nov 16 {time} master-0 {EOF}" for time in times))
    assert [f.severity for f in found] == severities
    assert {f.failure for f in found} == {"F05"}


def test_what_has_stopped_in_time_is_nothing():
    assert findings(f"Nov 16 12:00:00 master-0 {EOF}", "Nov 16 13:00:00 master-0 login") == ()


def test_a_console_counts_from_its_boot():
    [found] = findings(f"[ 3788.086838] {EOF}")
    assert found.severity == "error"
    [found] = findings(f"[   30.086838] {EOF}")
    assert (found.severity, "normal for 20 minutes" in found.message) == ("warning", True)


def test_lines_without_a_time_are_normal_so_far():
    [found] = findings(EOF, EOF)
    assert found.severity == "warning"


def test_words_with_several_causes_name_them_and_what_decides():
    [found] = findings("Get https://172.30.0.1:443/api: dial tcp 172.30.0.1:443: i/o timeout")
    assert (found.failure, found.candidates) == ("", ("F32", "F47"))
    assert "NetworkPolic" in found.decide
    assert "`oc -n openshift-network-operator logs deploy/network-operator`" in found.decide


def test_a_live_system_after_the_installation_boots_again():
    boot = "[    0.000000] Command line: BOOT_IMAGE=/images/pxeboot/vmlinuz coreos.liveiso=rhcos-418.94"
    assert findings(boot) == ()
    [found] = findings(boot, "coreos-installer-service[1862]: Install complete.", boot)
    assert (found.failure, found.subject) == ("F53", "log:3")


@pytest.mark.parametrize(
    ("line", "when"),
    [
        (b"Jan 02 00:00:03 node x", Moment("syslog", 2 * 86400 + 3)),
        (b"E0102 00:01:00.5 1 x.go:1] y", Moment("klog", (31 + 2) * 86400 + 60)),
        (b"[   12.014691] systemd[1]: x", Moment("boot", 12)),
        (b"no time at all", None),
    ],
)
def test_a_time_is_read_in_the_form_that_a_line_has(line, when):
    assert moment(line) == when


def test_dates_with_and_without_a_letter_are_the_same_time():
    assert moment(b'time="2021-06-24T10:39:43+02:00" x') == moment(b"2021-06-24 10:39:43.185438 W | x")


@pytest.mark.parametrize("piece", [300, 1 << 20])
def test_pieces_of_any_size_find_the_same_lines(piece, monkeypatch):
    monkeypatch.setattr(sieve, "PIECE", piece)
    text = b"".join(b"line %d %s\n" % (n, EXPIRED.encode() if n % 7 == 0 else b"quiet") for n in range(100))
    found = list(sieve.sift(sieve.Pieces(BytesIO(text)), anchors(ROWS)))
    assert [number for number, _ in found] == [n + 1 for n in range(0, 100, 7)]
    assert all(EXPIRED.encode() in line for _, line in found)


class Endless:
    """A stream of one line that never ends."""

    def __init__(self, size):
        self.left, self.largest = size, 0

    def read(self, size):
        self.largest = max(self.largest, size)
        given = min(size, self.left)
        self.left -= given
        return b"x" * given


def test_a_line_that_never_ends_is_read_in_bounded_pieces():
    pieces = sieve.Pieces(Endless(20 << 20))
    assert max(map(len, pieces)) <= 2 * sieve.PIECE + 1
