"""Text of others on the terminal: nothing in it is obeyed."""

from __future__ import annotations

import subprocess
import sys

import pytest

from hardway.cli.lab.view import Lines
from hardway.cli.terminal.board import Board
from hardway.cli.terminal.harmless import harmless
from hardway.cli.terminal.plain import Plain
from hardway.cli.terminal.rows import Rows
from hardway.cli.terminal.settings import chosen
from hardway.cli.terminal.text import show
from hardway.drive.events import Event

TITLE = "a\x1b]0;owned\x07b"
SHOWN = r"a\x1b]0;owned\x07b"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (TITLE, SHOWN),
        ("over\rwritten\x08\x7f", r"over\x0dwritten\x08\x7f"),
        ("\x9b31m", r"\x9b31m"),
        ("exe\u202egnp\u2066", r"exe\u202egnp\u2066"),
        ("two\nlines\tand — ✓ ü", "two\nlines\tand — ✓ ü"),
    ],
)
def test_what_speaks_to_the_terminal_is_written_out(text: str, shown: str):
    assert harmless(text) == shown


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


def hardway(*words: str) -> subprocess.CompletedProcess[str]:
    run = [sys.executable, "-c", "from hardway.cli.main import main; main()", *words]
    return subprocess.run(run, capture_output=True, text=True, check=False)


def test_an_error_is_written_out():
    done = hardway("explain", "cert/\x1b[2J\u202e")
    assert done.returncode == 2
    assert r"cert/\x1b[2J\u202e" in done.stderr
    assert "\x1b" not in done.stderr


def test_the_colour_of_a_usage_line_is_ours():
    done = hardway("--color", "always", "\x1b[2J")
    assert done.stderr.startswith("\x1b[1mUsage:\x1b[0m hardway ")
    assert "[2J" in done.stderr
    assert "\x1b[2J" not in done.stderr
