"""Programs that print what nobody has asked for."""

from __future__ import annotations

import pytest

from hardway.model.errors import ToolError
from hardway.tools import run


def test_bytes_that_are_no_text_are_no_error():
    done = run.attempt(["/bin/sh", "-c", r"printf 'a\377b'; printf '\303' >&2"])
    assert (done.output, done.errors) == ("a\ufffdb", "\ufffd")


def test_of_what_is_followed_as_much_is_kept_as_was_asked_for():
    said: list[str] = []
    command = ["/bin/sh", "-c", "echo one; echo two; echo three"]
    assert run.follow(command, line=said.append).output == "one\ntwo\nthree\n"
    assert run.follow(command, line=said.append, keep=1).output == "three\n"
    assert run.follow(command, line=said.append, keep=0).output == ""
    assert said == ["one", "two", "three"] * 3


def test_a_line_without_an_end_is_handed_on_in_pieces():
    said: list[str] = []
    run.follow(["/bin/sh", "-c", f"printf '%0{run.LONGEST + 3}d' 0"], line=said.append, keep=0)
    assert [len(piece) for piece in said] == [run.LONGEST, 3]


def test_a_program_that_a_signal_ended_is_told_by_the_signals_name():
    done = run.attempt(["/bin/sh", "-c", "kill -PIPE $$"])
    assert run.explain(done).startswith("/bin/sh was ended by signal 13 (Broken pipe).\n")


def test_a_program_that_prints_without_end_is_ended(monkeypatch):
    monkeypatch.setattr(run, "MOST_PRINTED", 1 << 20)
    with pytest.raises(ToolError, match="printed more than 1 MiB, and was ended"):
        run.attempt(["/bin/sh", "-c", "while :; do printf '%065536d' 0; done"])


def test_output_and_errors_are_kept_apart_with_plain_line_ends():
    done = run.attempt(["/bin/sh", "-c", r"printf 'a\r\nb\n'; printf '%0300000d' 0 >&2"])
    assert (done.output, len(done.errors)) == ("a\nb\n", 300000)


def test_a_program_whose_child_keeps_the_output_open_is_not_waited_for_without_end(monkeypatch):
    monkeypatch.setattr(run, "TURN", 0.1)
    with pytest.raises(ToolError, match="no answer after 0 s"):
        run.attempt(["/bin/sh", "-c", "sleep 30 & echo done"], seconds=0.2)
