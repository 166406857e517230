"""What a lab adds to the user's settings is told."""

from __future__ import annotations

from pathlib import Path

from hardway.cli.lab.plan import added


def test_added_lines_are_told_beside_the_output(capsys):
    added(Path("demo"), ["road: hand", 'release: "x"'])
    assert capsys.readouterr() == ("", 'demo/hardway.yaml: added `road: hand`, `release: "x"`\n')
    added(Path("demo"), [])
    assert capsys.readouterr() == ("", "")
