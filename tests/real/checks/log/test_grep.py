"""grep and Python find the same lines, whatever the log has in it."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest

from hardway.checks.log import sieve
from hardway.checks.log.scan import anchors
from hardway.checks.log.table import ROWS
from hardway.doctor.log import read
from hardway.model.errors import ToolError
from hardway.tools.run import through

LINES = Path(__file__).parents[3] / "data" / "log" / "lines.tsv"
PUBLISHED = [row.split("\t")[1].encode() for row in LINES.read_text().splitlines()]


def log(size):
    """Published lines among others: bytes that are no text, empty lines, a line without an end."""
    noise = [b"quiet " * 20, b"", b"\xff\xfe\x00binary\x80", b"\x1b[31mred\x1b[0m"]
    lines = [line for number in range(size) for line in (*noise, PUBLISHED[number % len(PUBLISHED)])]
    return b"\n".join(lines)


def test_both_ways_agree():
    text, words = log(3000), anchors(ROWS)
    grep = list(sieve.by_grep(sieve.Pieces(BytesIO(text)), words))
    assert grep == list(sieve.by_search(sieve.Pieces(BytesIO(text)), words))
    assert len(grep) == 3000


def test_a_long_log_is_given_to_grep(monkeypatch):
    monkeypatch.setattr(sieve, "by_search", None)
    found = list(sieve.sift(sieve.Pieces(BytesIO(log(9000))), anchors(ROWS)))
    assert len(found) == 9000


def test_a_long_file_of_the_command_line_is_given_to_grep(tmp_path, monkeypatch):
    monkeypatch.setattr(sieve, "by_search", None)
    (tmp_path / "journal").write_bytes(log(9000))
    assert len(read(str(tmp_path / "journal")).findings) > 40


def test_an_error_while_reading_is_not_lost():
    def broken():
        yield log(3000)
        raise EOFError("cut short")

    with pytest.raises(EOFError, match="cut short"):
        list(sieve.by_grep(broken(), anchors(ROWS)))


def test_a_filter_that_fails_is_an_error():
    with pytest.raises(ToolError, match="grep failed with exit code 2"):
        list(through(["grep", "--no-such-option"], [b"x\n"], found=(0, 1)))


@pytest.mark.parametrize("digits", [b"7", b"9" * 5000], ids=["a-number", "many-digits"])
def test_the_rest_of_a_long_line_is_no_line_with_a_number(digits):
    """The words are far behind the first part that is read, after what looks like a number of grep's."""
    word = anchors(ROWS)[0]
    start = b"x" * (sieve.LONGEST - len(b"1:"))
    text = start + digits + b":forged " + word + b"\nshort " + word + b"\n"
    found = list(sieve.by_grep([text], [word]))
    assert [(number, line[:6]) for number, line in found] == [(1, b"xxxxxx"), (2, b"short ")]
