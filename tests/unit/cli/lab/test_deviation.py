"""Deviations of the lab, as they are printed."""

from __future__ import annotations

import re

from hardway.cli.lab.deviation import deviation_text
from hardway.cli.lab.release import _print
from hardway.cli.lab.status import _print_deviations
from hardway.lab.status import deviations
from tests.support.clusters import load_cluster
from tests.support.lab import programs

TWO_COLONS = re.compile(r"^\s*\S+(?: \S+)?: .*: ", re.MULTILINE)


def test_what_and_why_stand_in_columns():
    assert deviation_text("image", "cli", what="A stand-in.", why="x: y") == (
        "image cli\n    what  A stand-in.\n    why   x: y"
    )


def test_the_status_prints_no_colon_after_a_label(capsys):
    rows = deviations(load_cluster().cluster)
    _print_deviations(rows)
    printed = capsys.readouterr().out
    assert [row for row in rows if f"{row.kind} {row.subject}\n" not in printed or row.why not in printed] == []
    assert TWO_COLONS.findall(printed) == []


def test_the_release_prints_the_same(tmp_path, capsys):
    built = programs.build(tmp_path, "core")
    _print(built, pushed=False)
    printed = capsys.readouterr().out
    texts = [deviation_text(row.kind, row.subject, why=row.why) for row in built.deviations]
    assert [text for text in texts if text not in printed] == []
    assert TWO_COLONS.findall(printed) == []
