"""Errors as data: the same keys, whatever went wrong."""

from __future__ import annotations

import json

import click
import pytest

from hardway.cli import failure
from hardway.model.errors import ConfigError, ToolError
from hardway.model.problem import Problem

BROKEN = Problem(file="f.yaml", line=2, column=3, path="a.b", message="is 2", fix="write 3", rule="r")


def rows(error: BaseException, message: str = "", code: int = 2) -> list[dict[str, object]]:
    return [json.loads(line) for line in failure.lines(error, message or str(error), code).splitlines()]


@pytest.mark.parametrize(
    ("message", "wanted"),
    [
        ("quay.io: no answer\n    fix: wait", ("no answer", "quay.io", "wait")),
        ("nothing was removed.\n    fix: give --yes", ("nothing was removed.", None, "give --yes")),
        ("verification failed: 3 errors", ("verification failed: 3 errors", None, None)),
        ("c/f.yaml:2:3: error: a: is 2\n    fix: write 3", ("a: is 2", "c/f.yaml:2:3", "write 3")),
        ("h: no\n    before: m: no\n    fix: wait", ("no\nbefore: m: no", "h", "wait")),
    ],
)
def test_a_message_is_taken_apart(message, wanted):
    assert rows(ToolError(message), code=3) == [
        dict(zip(("error", "place", "fix", "exitCode"), (*wanted, 3), strict=True))
    ]


def test_each_of_several_errors_has_its_fix():
    found = rows(ConfigError("--a: is wrong\n    fix: x\n--b: is wrong too\n    fix: y"))
    assert [(row["place"], row["fix"]) for row in found] == [("--a", "x"), ("--b", "y")]


def test_a_problem_of_a_file_has_its_line_and_one_of_the_command_line_its_option():
    option = Problem(file="", line=1, column=1, path="--keys", message="is wrong", fix="leave it out", rule="r")
    assert rows(ConfigError([BROKEN, option])) == [
        {"error": "a.b: is 2", "place": "f.yaml:2:3", "fix": "write 3", "exitCode": 2},
        {"error": "is wrong", "place": "--keys", "fix": "leave it out", "exitCode": 2},
    ]
    assert str(option) == "--keys: is wrong\n    fix: leave it out"


def test_a_warning_is_told_as_one():
    assert failure.problem_row(BROKEN) == {"error": "a.b: is 2", "place": "f.yaml:2:3", "fix": "write 3"}
    doubtful = Problem(file="f.yaml", line=2, column=3, path="a.b", message="is 2", fix="x", rule="r", warning=True)
    assert rows(ConfigError([doubtful])) == [{"warning": "a.b: is 2", "place": "f.yaml:2:3", "fix": "x"}]


@pytest.mark.parametrize(
    ("words", "wanted"),
    [("build -o json", True), ("build -ojson", True), ("build --output=json", True), ("build -o text", False)],
)
def test_a_command_line_that_cannot_be_read_is_searched(words, wanted, monkeypatch):
    monkeypatch.setattr("sys.argv", ["hardway", *words.split(), "--nosuch"])
    assert failure.in_json(click.UsageError("no")) == wanted
    assert not failure.in_json(ToolError("no"))
