"""The table of fields: complete, explained, and the reader that follows it."""

from __future__ import annotations

import pytest

from hardway.lines.default import DEFAULT
from hardway.model.config.fields import INSTALL_CONFIG, shape
from hardway.model.config.load import FIELDS
from hardway.model.config.reader import read
from hardway.model.config.rules import RULES
from hardway.model.config.table import FieldRow, Shape, shape_of
from hardway.model.why import because


def test_addresses_are_unique() -> None:
    assert len({row.address for row in FIELDS}) == len(FIELDS)
    assert "field/install-config.yaml#networking.machineNetwork" in {row.address for row in FIELDS}


@pytest.mark.parametrize("row", FIELDS, ids=lambda row: row.address)
def test_every_field_says_why(row: FieldRow) -> None:
    assert all((row.why.what, row.why.readers, row.why.breaks, row.why.source))


@pytest.mark.parametrize("file", ["install-config.yaml", "hosts.yaml", "hardway.yaml"])
def test_every_row_hangs_below_a_row(file: str) -> None:
    def orphans(shape: Shape) -> list[str]:
        return [name for name, child in shape.children.items() if child.row is None] + [
            name for child in shape.children.values() for name in orphans(child)
        ]

    assert orphans(shape_of(row for row in FIELDS if row.file == file)) == []


def test_lists_have_items() -> None:
    paths = {(row.file, row.path) for row in FIELDS}
    assert all((row.file, f"{row.path}[]") in paths for row in FIELDS if row.kind == "list")


def test_rules_read_fields_that_exist() -> None:
    paths = {row.path for row in INSTALL_CONFIG}
    assert {path for rule in RULES for path in rule.reads} <= paths
    assert len({rule.id for rule in RULES}) == len(RULES)


ROWS = [
    FieldRow(file="f", path=path, kind=kind, why=because("x"))
    for path, kind in (
        ("i", "int32"),
        ("t", "text"),
        ("x", "exact text"),
        ("b", "boolean"),
        ("m", "texts by name"),
        ("l", "list"),
    )
] + [FieldRow(file="f", path="l[]", kind="text", why=because("x"))]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("i: 3", {"i": 3}),
        ("i: 3.0", {"i": 3}),
        ("i: 1e2", {"i": 100}),
        ("i: 0x10", {"i": 16}),
        ("i: null", {}),
        ("t: 3", {"t": "3"}),
        ("t: yes", {"t": "true"}),
        ("T: x", {"t": "x"}),
        ("b: on", {"b": True}),
        ("m: {a: 1, b: no}", {"m": {"a": "1", "b": "false"}}),
        ("l: [a, null, 1.5]", {"l": ["a", "", "1.5"]}),
        ("l: ", {}),
        ("unknown: {l: [3]}", {}),
        ("", {}),
    ],
)
def test_values_are_taken_as_go_takes_them(text: str, values: dict[str, object]) -> None:
    reading = read(text, "f", shape_of(ROWS))
    assert reading.values == values
    assert all(problem.warning for problem in reading.problems)


@pytest.mark.parametrize(
    "text",
    [
        "i: '3'",
        "i: 3.5",
        "i: true",
        "i: 2147483648",
        "i: [1]",
        "i: 1e30",
        "t: [x]",
        "t: {x: 1}",
        "x: 3",
        "b: 1",
        "b: 'true'",
        "m: [a]",
        "m: a",
        "m: {a: [1]}",
        "l: x",
        "l: {a: 1}",
        "l: [[x]]",
        "- i",
        "just text",
    ],
)
def test_wrong_types_are_errors(text: str) -> None:
    problems = read(text, "f", shape_of(ROWS)).problems
    assert [problem.warning for problem in problems] == [False]
    assert problems[0].line == 1


def test_the_nearest_name_is_suggested_at_any_depth() -> None:
    reading = read("networking:\n  machineNetwork:\n  - cdir: 10.0.0.0/16\n", "install-config.yaml", shape(DEFAULT))
    unknown = next(problem for problem in reading.problems if problem.rule == "field.unknown")
    assert (unknown.line, unknown.column, unknown.path) == (3, 5, "networking.machineNetwork[0].cdir")
    assert "cidr" in unknown.fix
