"""Lines as they were published in public threads: each is taken for its own failure mode, and for no other."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from hardway.checks.failures import BY_ID
from hardway.checks.log.scan import anchors, classify
from hardway.checks.log.table import ROWS, TABLE
from hardway.doctor.diagnosis import diagnose
from hardway.doctor.log import scanned_bytes
from hardway.model.check import run

LINES = Path(__file__).parents[3] / "data" / "log" / "lines.tsv"
PUBLISHED = [tuple(row.split("\t")) for row in LINES.read_text().splitlines()]
FEW = {"F17": "threads have it as prose; the line is quoted in a public script"}
"""Modes with fewer than two published lines."""
ADDRESS = r"https://github\.com/[\w.-]+/[\w.-]+/(issues/\d+|pull/\d+|blob/[0-9a-f]{40}/[\w./-]+)"


@pytest.mark.parametrize(("mode", "line", "address"), PUBLISHED, ids=lambda text: text[:40])
def test_a_published_line_is_taken_for_its_mode(mode, line, address):
    row = classify(line.encode(), ROWS)
    assert row is not None
    assert mode in row.modes
    assert re.fullmatch(ADDRESS, address)


def test_every_mode_has_two_published_lines_or_a_reason():
    found = Counter(mode for mode, _, _ in PUBLISHED)
    assert set(found) <= set(BY_ID)
    assert {mode for mode in BY_ID if found[mode] < 2} == set(FEW)


def test_every_mode_has_words():
    assert {mode for row in ROWS for mode in row.modes} == set(BY_ID)


@pytest.mark.parametrize(("mode", "line", "address"), PUBLISHED, ids=lambda text: text[:40])
def test_a_published_line_has_one_root_and_that_is_its_mode(mode, line, address):
    """Or it is among those between which the doctor does not choose, and what decides is told."""
    log = scanned_bytes(f"{line}\n".encode(), "journal")
    [root] = diagnose(run(TABLE, log)).roots
    [finding] = root.case.findings
    assert root.effects == ()
    assert finding.failure == mode or (mode in finding.candidates and finding.decide), address


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_row_says_what_decides(row):
    assert (len(row.modes) > 1) <= bool(re.search(r"`[^`]+`", row.decide))
    assert bool(row.decide) <= (len(row.modes) > 1 or bool(row.minutes) or row.name == "log.timed-out")
    assert row.what
    assert all(part.strip() for alternative in row.alternatives for part in alternative.parts)


def test_names_are_unique_and_each_row_is_a_check():
    assert [check.name for check in TABLE] == [row.name for row in ROWS]
    assert len({row.name for row in ROWS}) == len(ROWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_no_alternative_is_hidden_by_an_earlier_row(row):
    """A line of exactly these parts is this row's."""
    for alternative in row.alternatives:
        line = b" ".join(alternative.parts)
        found = classify(line, ROWS, {row.after})
        assert found is row, (line, found and found.name)


def test_what_is_searched_for_is_in_every_alternative():
    searched = anchors(ROWS)
    for row in ROWS:
        for alternative in row.alternatives:
            assert any(word in alternative.parts[0] for word in searched)


HEALTHY = """\
Nov 16 12:00:01 master-0 kubenswrapper[2143]: I1116 12:00:01.1 2143 kubelet.go:2453] "SyncLoop (PLEG): event for pod"
Nov 16 12:00:02 master-0 crio[1999]: time="2026-11-16 12:00:02.5Z" level=info msg="Pulled image: quay.io/x@sha256:00"
Nov 16 12:00:03 bootstrap bootkube.sh[33]: Waiting up to 20m0s for the Kubernetes API
Nov 16 12:00:04 bootstrap bootkube.sh[33]: Still waiting for the Kubernetes API: Get "https://localhost:6443/readyz": \
dial tcp [::1]:6443: connect: connection refused
Nov 16 12:00:05 bootstrap bootkube.sh[33]: API is up
[    6.062180] ignition[697]: fetch-offline: fetch-offline passed
[   49.701513] coreos-installer-service[1862]: Install complete.
csr-jd6ht   3h32m   system:node:okd4-control-plane-3                                            Approved,Issued
{"level":"info","ts":"2026-11-16T12:00:00Z","caller":"raft/raft.go:1","msg":"became leader at term 2"}
"""


@pytest.mark.parametrize("line", HEALTHY.splitlines())
def test_a_healthy_line_means_nothing(line):
    assert classify(line.encode(), ROWS) is None
