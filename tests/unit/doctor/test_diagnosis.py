"""Findings in order: roots first, effects under them, defects apart that have nothing to do with each other."""

from __future__ import annotations

import pytest

from hardway.checks.all import tables
from hardway.checks.failures import TABLE as MODES
from hardway.checks.files.table import TABLE as FILES
from hardway.checks.log.table import ROWS
from hardway.doctor.diagnosis import diagnose, is_symptom
from hardway.doctor.told import as_dict, because, command
from hardway.model.check import Finding, Report, run
from tests.support.trees import spare


def found(check, failure="", subject="x", **fields):
    return Finding(check=check, subject=subject, message="m", fix="do it", failure=failure, **fields)


def roots(*findings):
    diagnosis = diagnose(Report(ran=(), findings=findings))
    return [(root.case.id, [effect.case.id for effect in root.effects]) for root in diagnosis.roots]


def test_a_symptom_is_known_by_what_was_looked_at():
    assert is_symptom("final.members")
    assert is_symptom("lb.api")
    assert not is_symptom("pki.chain")
    assert not is_symptom("dns.api")


def test_a_symptom_follows_from_a_cause_far_away_in_the_table():
    """F17 → F16 → F56 → F30 → F43, of which only both ends are seen."""
    assert roots(found("final.members", "F31"), found("ignition.modes", "F17")) == [("ignition.modes", ["F31"])]


def test_the_nearest_cause_is_named_and_the_farthest_is_the_root():
    diagnosis = diagnose(
        Report(ran=(), findings=(found("final.nodes", "F27"), found("final.logs", "F28"), found("pki.subject", "F29")))
    )
    [root] = diagnosis.roots
    assert root.case.id == "pki.subject"
    assert [(e.case.id, e.by, bool(because(e))) for e in root.effects] == [
        ("F27", "pki.subject", True),
        ("F28", "F27", True),
    ]


def test_a_defect_explains_the_symptom_of_its_own_failure_mode():
    assert roots(found("final.certificates", "F01"), found("pki.validity", "F01")) == [("pki.validity", ["F01"])]


def test_two_defects_are_two_roots_even_if_one_mode_could_lead_to_the_other():
    assert roots(found("pki.usages", "F08"), found("manifest.signers", "F30")) == [
        ("pki.usages", []),
        ("manifest.signers", []),
    ]


def test_a_root_with_more_effects_comes_first_and_one_that_fails_nothing_last():
    assert roots(
        found("pki.modes", severity="warning"),
        found("host.disk", "F38", ignored=True),
        found("dns.catch-all", "F34"),
        found("dns.server", "F03"),
        found("dns.nodes", "F15"),
    ) == [("dns.server", ["dns.catch-all", "dns.nodes"]), ("pki.modes", []), ("host.disk", [])]


def test_what_may_be_one_of_several_follows_from_the_one_that_was_found():
    either = found("lb.api", candidates=("F32", "F47"))
    assert roots(either) == [("lb.api", [])]
    assert roots(either, found("manifest.networks", "F32")) == [("manifest.networks", ["lb.api"])]
    assert roots(either, found("final.service", "F32")) == [("F32", ["lb.api"])]


def test_findings_of_one_check_are_one_case():
    assert roots(found("pki.chain", "F06"), found("pki.chain", "F06", "y")) == [("pki.chain", [])]


@pytest.mark.parametrize(
    ("finding", "words"),
    [
        (found("lb.api", decide="look with `oc get co`"), "oc get co"),
        (Finding(check="pki.chain", subject="x", message="m", fix="run `hardway build 05`"), "hardway build 05"),
        (found("pki.chain"), "hardway verify 05"),
        (found("dns.apps", "F33"), "hardway explain failure/F33"),
        (found("dns.etcd"), "hardway network check"),
        (found("haproxy.mode", decide="write `mode tcp`"), "hardway network check --haproxy FILE"),
    ],
)
def test_a_finding_has_a_command(finding, words):
    assert command(finding) == words


EVERY = [check for rows in tables().values() for check in rows]
KNOWN = "cat crictl curl df dig hardway journalctl oc openshift-install openssl ping wipefs"


@pytest.mark.parametrize("check", EVERY, ids=lambda check: check.name)
def test_a_command_of_a_row_begins_with_a_program(check):
    decide = next((row.decide for row in ROWS if row.name == check.name), "")
    finding = Finding(check=check.name, subject="x", message="m", fix=check.fix, failure=check.failure, decide=decide)
    assert command(finding).split()[0] in KNOWN.split()


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.id)
def test_a_command_of_a_failure_begins_with_a_program(mode):
    finding = Finding(check="pki.chain", subject="x", message="m", fix=mode.fix, failure=mode.id)
    assert command(finding).split()[0] in KNOWN.split()


def test_data_have_the_whole_tree():
    diagnosis = diagnose(Report(ran=("pki.pair",), findings=(found("pki.pair"), found("pki.chain", "F06"))))
    told = as_dict(diagnosis)
    assert (told["ok"], told["ran"], told["skipped"]) == (False, ["pki.pair"], [])
    [root] = told["roots"]
    assert (root["id"], root["fails"], "cause" in root, root["expected"]) == (
        "pki.pair",
        True,
        False,
        "Every certificate belongs to its key.",
    )
    [effect] = root["effects"]
    assert (effect["id"], effect["by"], effect["failures"]) == ("pki.chain", "pki.pair", ["F06"])
    assert {"effect", "affected", "command", "decide", "candidates"} <= set(effect["findings"][0])


PLANTED = {
    "tls/service-account.pub": "pki.present",
    "plan/infra-id": "plan.present",
    "auth/kubeadmin-password": "manifest.kubeadmin",
    "manifests/openshift-etcd-etcd-signer.yaml": "manifest.signers",
    "master-1.ign": "ignition.present",
}


@pytest.mark.parametrize("path", PLANTED)
def test_a_file_that_is_missing_is_one_cause(path):
    world = spare()
    (world.root / path).unlink()
    report = run(FILES, world)
    assert [root.case.id for root in diagnose(report).roots] == [PLANTED[path]]


@pytest.mark.parametrize("turn", [1, -1], ids=["node first", "pod first"])
def test_two_cases_that_explain_each_other_have_one_root_and_an_end(turn):
    """A node that is not Ready, and a container on it that was ended for lack of memory."""
    node = Finding(check="cluster.nodes", subject="node a", message="m", fix="f")
    pod = Finding(check="cluster.pods", subject="pod b", message="m", fix="f", failure="F38")
    [root] = diagnose(Report(ran=(), findings=(node, pod)[::turn])).roots
    assert len(root.effects) == 1
    assert {root.case.id, root.effects[0].case.id} == {"cluster.nodes", "F38"}


def test_what_may_still_be_normal_explains_nothing_that_fails():
    lasting, early = found("cluster.operators", "F33"), found("log.cni", "F32", severity="warning")
    assert roots(early, lasting) == [("F33", []), ("F32", [])]
    assert roots(early, found("cluster.operators", "F33", severity="warning")) == [("F32", ["F33"])]
