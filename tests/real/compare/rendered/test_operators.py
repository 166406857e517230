"""Ours beside what the real operators render: every difference has its row, and every row its difference."""

from __future__ import annotations

from functools import cache

import pytest

from hardway.compare.rendered.comparison import compare
from hardway.compare.rendered.expected.table import EXPECTED
from hardway.compare.rendered.operators import OPERATORS
from tests.support.rendering.described import by_hand, describe, newer, police
from tests.support.rendering.real import copy_of, rendered

VARIANTS = ("default", "single", "dual-stack", "ipv6", "proxy", "tech-preview", "custom-gates", "mirrors")
NOT_TO_BE_HAD = {"kube-controller-manager", "kube-scheduler"}
ELSEWHERE = {"host": "builder-7", "address": "192.168.126.77"}


@cache
def report_of(variant="default", **settings):
    """Read once; never change it."""
    return compare(rendered(variant, **settings))


@pytest.mark.parametrize("variant", VARIANTS)
def test_whatever_the_operators_render_is_explained(variant):
    report = report_of(variant)
    assert report.ok, report.as_text()
    assert {operator.name for operator in report.missing} == NOT_TO_BE_HAD
    assert set(report.compared) == {operator.name for operator in OPERATORS} - NOT_TO_BE_HAD
    assert all(any(counts.values()) for counts in report.compared.values())


def test_other_keys_are_explained():
    report = report_of(keys="ecdsa-p256")
    assert report.ok, report.as_text()


def test_a_render_from_another_machine_is_told_and_read_all_the_same():
    report = report_of(**ELSEWHERE)
    assert report.ok, report.as_text()
    told = {d.aspect: (d.theirs, d.ours) for d in report.differences if d.row and d.row.name == "rendered-elsewhere"}
    assert told == {"name": ("builder-7", "bootstrap"), "address": ("192.168.126.77", "192.168.126.100")}


def test_the_operators_that_cannot_be_had_are_explained_as_their_templates_have_them(small):
    report = compare(small)
    assert report.ok, report.as_text()
    assert [operator.name for operator in report.missing] == ["api"]


def test_the_policy_controller_beside_ours_is_explained(copied):
    police(copied)
    report = compare(copied)
    assert report.ok, report.as_text()


def test_the_constraint_of_later_releases_is_explained(copied):
    newer(copied)
    report = compare(copied)
    assert report.ok, report.as_text()
    assert "newer-constraint" in {d.row.name for d in report.differences if d.row}


@pytest.mark.parametrize("made_by_hand", [False, True])
def test_the_policy_controllers_gate_is_the_operators_or_explained(tmp_path, made_by_hand):
    """With the gate on: where the API server's operator makes the masters' servers, ours says the same."""
    folder = copy_of(rendered("tech-preview"), tmp_path / "c")
    describe(folder)
    if made_by_hand:
        by_hand(folder)
    report = compare(folder)
    assert report.ok, report.as_text()
    used = {d.row.name for d in report.differences if d.row}
    assert ("policy-enforced-levels" in used) == made_by_hand


def test_every_row_is_needed(small, tmp_path):
    whole = copy_of(rendered("dual-stack"), tmp_path / "c")
    describe(whole)
    policed = copy_of(small, tmp_path / "policed")
    police(policed)
    newer(policed)
    preview = copy_of(rendered("tech-preview"), tmp_path / "preview")
    describe(preview)
    by_hand(preview)
    reports = [compare(small), compare(whole), compare(policed), compare(preview)]
    reports += [report_of("tech-preview"), report_of(keys="ecdsa-p256"), report_of(**ELSEWHERE)]
    used = {d.row.name for report in reports for d in report.differences if d.row}
    assert [row.name for row in EXPECTED if row.name not in used] == []


def test_rows_have_names_of_their_own_reasons_and_sources():
    names = [row.name for row in EXPECTED]
    assert len(names) == len(set(names))
    for row in EXPECTED:
        assert len(row.why.what) > 15, row.name
        assert row.why.breaks, row.name
        assert row.why.source, row.name
        assert not row.why.breaks.endswith("."), row.name


def test_the_api_server_is_told_the_same_by_its_file_as_ours_by_flags():
    """The file against the flags it replaces: what is not in a row of its own has the same value in both."""
    report = report_of()
    given = {d.aspect for d in report.differences if d.row and d.row.name == "by-file"}
    assert {"--etcd-prefix given by", "--service-cluster-ip-range given by", "--event-ttl given by"} <= given
    differing = {d.aspect for d in report.differences if d.area == "flags" and d.operator == "kube-apiserver"}
    assert not {"--etcd-prefix", "--service-cluster-ip-range", "--event-ttl", "--etcd-servers"} & differing


def test_certificates_of_the_signers_that_were_handed_over_are_the_very_same():
    report = report_of()
    assert [d for d in report.differences if d.area == "certificates" and d.operator != "etcd"] == []
    minted = {d.thing for d in report.differences if d.row and d.row.name == "minted"}
    assert {"Secret openshift-etcd/etcd-signer", "ConfigMap openshift-etcd/etcd-ca-bundle"} <= minted


def test_the_crds_and_the_gates_are_equal():
    assert [d for d in report_of().differences if d.operator == "api"] == []
