"""One type of check for everything that is looked at: files, machines, networks and the running cluster."""

from __future__ import annotations

import re

import pytest

from hardway.checks import failures
from hardway.checks.all import COMMANDS, checks, tables
from hardway.model.check import Check, Flaw, Report, run
from hardway.model.errors import ToolError
from hardway.model.why import because


@pytest.mark.parametrize("kind", tables())
def test_every_row_of_a_table_is_a_check(kind):
    rows = tables()[kind]
    assert rows
    for row in rows:
        assert type(row) is Check, row
        assert all((row.why.what, row.why.readers, row.why.breaks, row.why.source)), row.name
        assert row.failure in ("", *failures.BY_ID), row.name
        assert row.stage.isdecimal(), row.name
        assert row.address == f"check/{row.name}"


PRONOUN = re.compile(r"(it|its|they|their|them|who|whoever|what|whatever|one of them)\b", re.IGNORECASE)


def test_no_text_of_a_check_begins_with_a_pronoun():
    """`explain check/NAME` prints each of them on a line of its own, and `doctor` away from the others."""
    texts = [(c.name, t) for c in checks() for t in (c.why.what, c.why.readers, c.why.breaks, c.fix)]
    assert [(name, text) for name, text in texts if PRONOUN.match(text)] == []


def test_a_check_is_a_sentence_and_its_effect_a_clause():
    for row in checks():
        assert row.why.what.endswith("."), row.name
        assert not row.why.breaks.endswith("."), row.name


def test_every_table_has_the_command_that_runs_it():
    assert list(COMMANDS) == list(tables())


def test_names_are_unique_over_all_tables():
    names = [row.name for row in checks()]
    assert sorted(set(names)) == sorted(names)


def look(name, *flaws, **fields):
    return Check(name=name, stage="05", why=because("x"), run=lambda subject: flaws, **fields)


def test_a_check_that_cannot_run_is_counted_as_skipped_with_its_reason():
    asked = []

    def spoil(subject):
        asked.append(subject)
        return [Flaw(subject="x", message="never said")]

    blind = Check(name="a.blind", stage="05", why=because("x"), run=spoil, skip=lambda subject: f"no {subject} here")
    report = run([blind, look("a.sees")], "file")
    assert (report.ran, dict(report.skipped), asked) == (("a.sees",), {"a.blind": "no file here"}, [])
    assert report.ok
    assert report.as_dict()["skipped"] == [{"check": "a.blind", "reason": "no file here"}]


def test_an_ignored_finding_is_kept_and_does_not_count():
    wrong = [look("a.one", Flaw(subject="x", message="m")), look("a.two", Flaw(subject="y", message="n"))]
    report = run(wrong, None).ignoring({"a.one"})
    assert [f.label for f in report.findings] == ["ignored", "error"]
    assert ([f.check for f in report.errors], [f.check for f in report.ignored]) == (["a.two"], ["a.one"])
    assert report.findings[0].as_dict()["severity"] == "warning"
    assert run(wrong, None).ignoring({"a.one", "a.two"}).ok


def test_what_all_defects_of_a_check_have_in_common_is_said_once():
    own = Flaw(subject="x", message="m", fix="own fix", failure="F02")
    first, second = run(
        [look("a.b", Flaw(subject="x", message="m"), own, fix="common fix", failure="F01")], None
    ).findings
    assert (first.fix, first.failure) == ("common fix", "F01")
    assert (second.fix, second.failure) == ("own fix", "F02")


def test_a_program_that_fails_is_a_finding_and_the_next_check_runs():
    def broken(subject):
        yield Flaw(subject="x", message="seen before")
        raise ToolError("ip: no such\n  device.\n    fix: plug it in")

    failing = Check(name="a.broken", stage="17", why=because("x"), run=broken)
    report = run([failing, look("a.next")], None)
    assert report.ran == ("a.broken", "a.next")
    assert [(f.subject, f.message, f.fix) for f in report.findings] == [
        ("x", "seen before", ""),
        ("a.broken", "ip: no such device.", "plug it in"),
    ]


def test_reports_are_merged_with_what_was_skipped():
    one = run([look("a.one", skip=lambda subject: "dark")], None)
    assert Report.merge([one, run([look("a.two")], None)]).as_dict() == {
        "ran": ["a.two"],
        "skipped": [{"check": "a.one", "reason": "dark"}],
        "findings": [],
        "ok": True,
    }
