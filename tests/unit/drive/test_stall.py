"""A milestone that stalls is told with its cause; where nobody has found one, with those that are known."""

from __future__ import annotations

from hardway.doctor.diagnosis import diagnose
from hardway.doctor.told import stall
from hardway.drive.milestones.table import BY_NAME
from hardway.drive.stall import Cause, failures, stalled
from hardway.model.check import Finding, Report

ROW = BY_NAME["masters-ready"]
FOUND = Cause(text="F29: no signer", evidence="master-0, journal:7: no", fix="put the signer back", failures=("F29",))


def test_a_cause_stands_in_place_of_the_candidates():
    told = str(stalled(ROW, "master-0", 600, [FOUND])).splitlines()
    assert told[0].startswith("stage 11, masters-ready: not reached in 600 s (")
    assert told[1] == "    missing: master-0"
    assert told[3:] == [
        "    cause: F29: no signer",
        "    seen: master-0, journal:7: no",
        "    fix: put the signer back; then run this again to continue",
    ]
    assert failures(ROW, [FOUND, FOUND]) == ("F29",)


def test_without_a_cause_the_candidates_are_named():
    told = str(stalled(ROW, "master-0", 600, ()))
    assert "fix: known causes: `hardway explain failure/F03`" in told
    assert "cause:" not in told.replace("known causes:", "")
    assert failures(ROW, ()) == ROW.failures


def cause_of(**rest):
    finding = Finding(**{"check": "cluster.requests", "subject": "s", "message": "m", "fix": "f"} | rest)
    [root] = diagnose(Report(ran=(), findings=(finding,))).roots
    return stall(root)


def test_a_root_is_told_by_its_failure_mode():
    found = cause_of(failure="F27")
    assert found.text.startswith("F27: ")
    assert (found.fix, found.failures) == ("f", ("F27",))
    assert found.evidence.startswith("s: m")


def test_a_root_with_several_candidates_says_what_decides():
    found = cause_of(check="log.either", candidates=("F11", "F12"), decide="look at the registry")
    assert found.text.startswith("either F11: ")
    assert (found.fix, found.failures) == ("look at the registry", ("F11", "F12"))


def test_a_root_of_no_mode_says_what_should_hold():
    assert cause_of(check="cluster.answers").text == "expected, and not so: The API answers."
