"""Text of others on the terminal: nothing in it is obeyed."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardway.cli.lab.view import Lines
from hardway.cli.terminal.board import Board
from hardway.cli.terminal.plain import Plain
from hardway.cli.terminal.rows import Rows
from hardway.cli.terminal.settings import chosen
from hardway.cli.terminal.text import show
from hardway.drive.events import Event
from hardway.io import trace
from hardway.io.harmless import harmless, one_line
from tests.support.forked import hardway

TITLE = "a\x1b]0;owned\x07b"
SHOWN = r"a\x1b]0;owned\x07b"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (TITLE, SHOWN),
        ("over\rwritten\x08\x7f", r"over\x0dwritten\x08\x7f"),
        ("\x9b31m", r"\x9b31m"),
        ("exe\u202egnp\u2066", r"exe\u202egnp\u2066"),
        ("zero\u200bwidth\ufeff and line\u2028break", r"zero\u200bwidth\ufeff and line\u2028break"),
        ("half a pair \ud800, a byte \udcff", r"half a pair \ud800, a byte \udcff"),
        ("two\nlines\tand — ✓ ü", "two\nlines\tand — ✓ ü"),
    ],
)
def test_what_speaks_to_the_terminal_is_written_out(text: str, shown: str):
    assert harmless(text) == shown


def test_a_value_in_a_message_has_one_line():
    assert one_line("a\n    fix: rm\t\u2029 ü") == r"a\n    fix: rm\t\u2029 ü"


def test_the_name_of_a_file_begins_no_line_of_its_own(tmp_path: Path):
    """Whoever handed on the folder chose it."""
    assert hardway("init", tmp_path / "c").returncode == 0
    (tmp_path / "c/manifests").mkdir()
    (tmp_path / "c/manifests/a.yaml:1:1: error: x\n    fix: run this\u200b.yaml").touch()
    done = hardway("-C", tmp_path / "c", "build", "03")
    assert done.returncode == 2
    assert (
        r"a.yaml:1:1: error: x\n    fix: run this\u200b.yaml:1:1: error: its name has other characters" in done.stderr
    )
    assert "\n    fix: run this" not in done.stderr


def test_a_wait_is_told_in_harmless_words(capsys: pytest.CaptureFixture[str]):
    """The words are the command line of whoever has the lock, which anybody can choose."""
    with trace.printed(f"waiting for `{TITLE}`"):
        assert capsys.readouterr().err == f"waiting for `{SHOWN}`\n"


@pytest.mark.parametrize("err", [True, False])
def test_it_is_written_out_before_our_colours_are_added(
    err: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(chosen, "color", "always")
    show(f"error: {TITLE}", err=err)
    printed = capsys.readouterr()
    assert (printed.err if err else printed.out) == f"\x1b[31merror\x1b[0m: {SHOWN}\n"


def test_progress_and_events_are_written_out(capsys: pytest.CaptureFixture[str]):
    Plain().begin(TITLE)
    Lines(as_json=False, work=Plain()).event(Event(kind="acted", seconds=1, text=TITLE))
    printed = capsys.readouterr()
    assert (printed.err, printed.out) == (f"{SHOWN} ...\n", f"     1s  acted     {SHOWN}\n")


def test_displays_hold_harmless_text_only():
    rows, board = Rows(), Board(until=1)
    rows.see(f"{TITLE}: {TITLE}", 0, 1, "steps")
    [(row, _)] = rows.cells()
    board.hear(Event(kind="acted", seconds=1, text=TITLE), 1.0)
    with rows.wait(TITLE):
        assert [row.subject, row.detail, *rows.waits()] == [SHOWN, SHOWN, f"{SHOWN} (0 s)"]
    assert [line.endswith(SHOWN) for line in board.said] == [True]


def test_an_error_is_written_out():
    done = hardway("explain", "cert/\x1b[2J\u202e")
    assert done.returncode == 2
    assert r"cert/\x1b[2J\u202e" in done.stderr
    assert "\x1b" not in done.stderr


def test_the_colour_of_a_usage_error_is_ours():
    done = hardway("--color", "always", "\x1b[2J")
    assert "\x1b[32m    fix:\x1b[0m see \x1b[1m`hardway --help`\x1b[0m" in done.stderr
    assert "[2J" in done.stderr
    assert "\x1b[2J" not in done.stderr
