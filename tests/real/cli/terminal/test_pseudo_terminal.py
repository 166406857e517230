"""Commands on a real pseudo-terminal, read by a terminal emulator, and the same commands without a terminal."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from tests.support.hardway_program import COMMAND, hardway
from tests.support.pseudo_terminal import on_terminal

WIDTHS = [60, 80, 160]
COLOUR = re.compile(r"\x1b\[[0-9;]*[1-9][0-9;]*m")  # anything but a reset
STILL = [["--help"], ["lab", "--help"], ["explain", "cert/root-ca"], ["status"], ["verify"], ["explain", "cert/nobody"]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A built cluster, with the smallest keys."""
    made = tmp_path_factory.mktemp("cluster")
    assert hardway("init", made).returncode == 0
    assert hardway("-C", made, "build", "--keys", "ecdsa-p256").returncode == 0
    return made


def printed_lines(text, columns):
    """Lines as they were printed, none of which the terminal has to break; a word wider than it is nobody's fault."""
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)
    lines = re.split(r"[\r\n]+", text)
    return [line for line in lines if len(line) > columns and len(line.split()) > 1]


def drawn(seen, pattern):
    """Whether a line of any picture looks so."""
    return any(re.search(pattern, line) for picture in seen.pictures for line in picture)


@pytest.mark.parametrize("columns", WIDTHS)
@pytest.mark.parametrize("words", STILL, ids=" ".join)
def test_text_fits_the_terminal(folder, words, columns):
    seen = on_terminal([*COMMAND, *words], columns=columns, cwd=folder)
    assert seen.text
    assert printed_lines(seen.printed, columns) == []


@pytest.mark.parametrize("columns", WIDTHS)
def test_each_stage_has_its_number_of_files_on_its_line(folder, columns):
    lines = on_terminal([*COMMAND, "-q", "status"], columns=columns, cwd=folder).text.splitlines()
    assert len([line for line in lines if re.match(r"\d\d .*\d files$", line.strip())]) == 5
    assert [line for line in lines if not re.match(r"\d\d ", line)] == []


@pytest.mark.parametrize("words", STILL, ids=" ".join)
def test_a_terminal_and_a_pipe_get_the_same_words(folder, words):
    seen = on_terminal([*COMMAND, *words], columns=60, cwd=folder)
    there = hardway(*words, cwd=folder)
    assert seen.code == there.returncode
    assert "".join(seen.text.split()) == "".join((there.stdout + there.stderr).split())


@pytest.mark.parametrize("words", STILL, ids=" ".join)
def test_colour_is_for_terminals_and_can_be_forbidden(folder, words):
    assert COLOUR.search(on_terminal([*COMMAND, *words], columns=80, cwd=folder).printed)
    assert not COLOUR.search(on_terminal([*COMMAND, *words], columns=80, cwd=folder, NO_COLOR="1").printed)
    assert not COLOUR.search(on_terminal([*COMMAND, "--color", "never", *words], columns=80, cwd=folder).printed)
    assert "\x1b" not in on_terminal([*COMMAND, *words], columns=80, cwd=folder, TERM="dumb").printed


def test_colour_can_be_asked_for():
    done = hardway("--color", "always", "explain", "cert/root-ca")
    assert COLOUR.search(done.stdout)
    assert COLOUR.search(hardway("explain", "cert/root-ca", "--color", "always", NO_COLOR="1").stdout)
    assert "\x1b" not in hardway("explain", "cert/root-ca").stdout


def test_a_build_shows_its_keys_and_files_and_leaves_its_summary_alone(tmp_path):
    hardway("init", tmp_path)
    seen = on_terminal([*COMMAND, "build"], columns=60, rows=30, cwd=tmp_path)
    assert seen.code == 0
    assert drawn(seen, r"keys .*\d+/\d+")
    assert drawn(seen, r"files .*\d+/\d+")
    assert seen.text.startswith("install-config.yaml:1:1: warning: sshKey")
    assert not re.search(r"keys |files  ", seen.text)
    assert seen.text.count("05 PKI") == 1
    assert not seen.cursor_hidden
    assert printed_lines(seen.printed, 60) == []


@pytest.mark.parametrize("columns", WIDTHS)
def test_ctrl_c_leaves_the_terminal_clean(tmp_path, columns):
    hardway("init", tmp_path)
    seen = on_terminal([*COMMAND, "build"], columns=columns, rows=30, cwd=tmp_path, ctrl_c_after="keys")
    assert seen.code == 130
    said = "interrupted; finished work is kept. fix: run the same command again to continue"
    assert " ".join(seen.text.split()) == said
    assert not seen.cursor_hidden
    assert printed_lines(seen.printed, columns) == []


def test_ctrl_c_at_a_question_says_that_nothing_was_written(tmp_path):
    seen = on_terminal([*COMMAND, "init", "c"], columns=80, cwd=tmp_path, ctrl_c_after="Name of the cluster")
    assert seen.code == 130
    assert "interrupted; nothing was written.\n    fix: run the same command again" in seen.text
    assert not (tmp_path / "c").exists()


def test_the_end_by_a_signal_leaves_the_terminal_clean_too(tmp_path):
    hardway("init", tmp_path)
    seen = on_terminal([*COMMAND, "build"], columns=80, rows=30, cwd=tmp_path, terminate_after="keys")
    assert (seen.code, seen.text, seen.cursor_hidden) == (143, "", False)


def test_a_build_into_a_pipe_shows_its_progress_on_the_terminal_all_the_same(tmp_path):
    hardway("init", tmp_path)
    seen = on_terminal([*COMMAND, "build"], columns=80, rows=30, cwd=tmp_path, pipe=True, ctrl_c_after="keys")
    assert drawn(seen, r"keys .*\d+/\d+")
    assert seen.code == 130


def test_quiet_shows_no_progress(tmp_path):
    hardway("init", tmp_path)
    seen = on_terminal(
        [*COMMAND, "build", "--quiet", "--keys", "ecdsa-p256"], columns=80, rows=30, cwd=tmp_path, NO_COLOR="1"
    )
    assert (seen.code, "\x1b" in seen.printed) == (0, False)
    assert "sshKey: is missing" in seen.text  # a warning
    assert "05 PKI" not in seen.text


def test_without_a_terminal_there_is_no_escape_and_no_rich(folder):
    code = "import sys\nfrom hardway.cli.main import main\ntry: main()\nfinally: print('rich' in sys.modules)"
    for words in (*STILL, ["build"]):
        done = subprocess.run(
            [sys.executable, "-c", code, *words], cwd=folder, capture_output=True, text=True, check=False
        )
        assert "\x1b" not in done.stdout + done.stderr
        assert done.stdout.endswith("False\n")


def test_still_text_needs_no_rich_on_a_terminal_either(folder):
    code = "import sys\nfrom hardway.cli.main import main\ntry: main()\nfinally: print('rich' in sys.modules)"
    for words in (["--help"], ["explain", "cert/root-ca"]):
        seen = on_terminal([sys.executable, "-c", code, *words], columns=80, cwd=folder)
        assert seen.text.split()[-1] == "False"


def test_verbose_tells_each_file_that_is_written(tmp_path):
    hardway("init", tmp_path)
    done = hardway("build", "03", "-v", cwd=tmp_path)
    assert f"write  {os.path.join('assets', 'plan', 'cluster.yaml')}\n" in done.stderr
    assert hardway("build", "03", cwd=tmp_path).stderr.count("write ") == 0


def test_verbose_and_quiet_exclude_each_other():
    done = hardway("-v", "status", "-q")
    assert (done.returncode, "--verbose and --quiet exclude each other" in done.stderr) == (2, True)


@pytest.mark.parametrize("columns", WIDTHS)
def test_a_chapter_of_the_guide_fits_the_terminal(columns):
    seen = on_terminal([*COMMAND, "guide", "01"], columns=columns, PAGER="cat")
    at_once = on_terminal([*COMMAND, "guide", "01", "--no-pager"], columns=columns, PAGER="false")
    assert (seen.code, at_once.code) == (0, 0)
    assert "hardway init" in seen.text
    assert "hardway init" in at_once.text
    assert printed_lines(seen.printed, columns) == []
    assert "\x1b" not in on_terminal([*COMMAND, "guide", "01"], columns=columns, PAGER="cat", NO_COLOR="1").printed
