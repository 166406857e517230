"""Every known failure mode is planted at least once, and the doctor names it as the only root."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from hardway.checks.failures import BY_ID
from hardway.checks.log.table import TABLE as LOG
from hardway.doctor.diagnosis import diagnose
from hardway.doctor.log import scanned_bytes
from hardway.model.check import run
from tests.support.dns.defects import DEFECTS

LINES = Path(__file__).parents[2] / "data" / "log" / "lines.tsv"
WORDS = {
    "F17": "NetworkManager[1021]: <warn> keyfile: load: File permissions (100644) are insecure",
    "F32": "kubelet[9]: container runtime network not ready: No CNI configuration file in /etc/kubernetes/cni/net.d/",
    "F53": "coreos-installer: Install complete.\nkernel: Command line: coreos.liveiso=rhcos-418",
}
"""Lines of the programs themselves, for modes whose published lines are too few or have several causes."""
BY_NAME_SERVER = {"F04"}
"""A real name server shows it: tests/real/checks/network/test_dns.py plants it, and expects exactly that finding."""
SEVERAL = {"F55": "a line shows it as F55 or F44, and the doctor names the command that decides"}


def published():
    rows = defaultdict(list)
    for row in LINES.read_text().splitlines():
        mode, line, _ = row.split("\t")
        rows[mode].append(line)
    return rows


def roots_of(text):
    return diagnose(run(LOG, scanned_bytes(f"{text}\n".encode(), "journal"))).roots


def sole(text):
    """The only root, if a failure mode is it."""
    roots = roots_of(text)
    return roots[0].case.id if len(roots) == 1 and not roots[0].case.candidates else ""


@pytest.mark.parametrize("mode", sorted(set(BY_ID) - BY_NAME_SERVER - set(SEVERAL)))
def test_a_planted_mode_is_the_only_root(mode):
    cases = [*published()[mode], *([WORDS[mode]] if mode in WORDS else [])]
    assert mode in {sole(text) for text in cases}


@pytest.mark.parametrize("mode", sorted(BY_NAME_SERVER))
def test_a_mode_of_names_is_planted_in_a_real_name_server(mode):
    assert mode in {wanted[1] for _, wanted in DEFECTS.values()}


@pytest.mark.parametrize("mode", sorted(SEVERAL))
def test_where_words_do_not_decide_the_candidates_and_what_decides_are_told(mode):
    [root] = roots_of("dial tcp: lookup api-int.ocp4.example.com on 8.8.8.8:53: no such host")
    assert mode in root.case.candidates
    assert "`" in root.case.findings[0].decide
