"""Words of a log beside a cluster that can be seen: kept where they explain something, and past where they do not."""

from __future__ import annotations

import pytest

from hardway.checks.all import ids
from hardway.checks.failures import BY_ID
from hardway.doctor.diagnosis import diagnose
from hardway.doctor.past import NO_EFFECT, NOW_WELL, SHOWN_BY, explained
from hardway.model.check import Finding, Report


def found(check, failure="", **fields):
    return Finding(check=check, subject="x", message="m", fix="do it", failure=failure, **fields)


def state(*findings, ran=("cluster.pods", "cluster.nodes")):
    return Report(ran=ran, findings=findings)


def logs(*findings):
    return [Report(ran=(), findings=findings)]


def roots(report):
    return [root.case.id for root in diagnose(report).roots]


UNNAMED = found("log.no-forwarding", "F45")


def test_a_healthy_cluster_has_no_cause_in_its_past():
    report = explained(state(), logs(UNNAMED))
    assert (report.ok, report.notes) == (True, (f"Logs have words of F45. {NOW_WELL}",))


def test_what_the_log_explains_is_kept_as_its_cause():
    assert roots(explained(state(found("cluster.pods")), logs(UNNAMED))) == ["F45"]


def test_a_mode_that_its_check_no_longer_sees_is_past_even_if_it_could_explain_what_is_wrong():
    report = explained(state(found("cluster.pods", "F54")), logs(UNNAMED))
    assert (roots(report), report.notes) == (["F54"], (f"Logs have words of F45. {NO_EFFECT}",))


def test_without_that_check_the_log_is_the_only_witness():
    assert roots(explained(state(found("cluster.operators", "F32"), ran=()), logs(UNNAMED))) == ["F45"]


def test_words_that_nothing_follows_from_are_past():
    assert roots(explained(state(found("cluster.requests", "F27")), logs(found("log.disk-busy", "F52")))) == ["F27"]


@pytest.mark.parametrize("candidates", [("F11", "F45"), ("F45", "F52")])
def test_of_several_modes_all_have_to_be_past(candidates):
    said = found("log.authority", candidates=candidates)
    report = explained(state(found("cluster.pods", "F54")), logs(said))
    assert " or ".join(candidates) in report.notes[0]


def test_the_table_names_modes_and_checks_that_exist():
    assert set(SHOWN_BY) <= set(BY_ID)
    assert set(SHOWN_BY.values()) <= set(ids())
