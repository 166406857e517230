"""Text in the width of a terminal: words, addresses, paths and commands stay whole."""

from __future__ import annotations

import re

import pytest

from hardway.cli.terminal.settings import chosen
from hardway.cli.terminal.text import KINDS, fit, painted, usable, wrap
from hardway.explain.atlas import CHARTS

FINDING = (
    "error: cert/kube-apiserver-to-kubelet-signer: is not in "
    "assets/tls/kube-apiserver-to-kubelet-client-ca.crt [pki.chain]\n"
    "    fix: run `hardway build --rotate cert/kube-apiserver-to-kubelet-signer 05` and then `hardway verify 05`"
)
WHOLE = (
    "cert/kube-apiserver-to-kubelet-signer:",
    "assets/tls/kube-apiserver-to-kubelet-client-ca.crt",
    "`hardway verify 05`",
)


def without_colours(text):
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


@pytest.mark.parametrize("width", [60, 80, 160])
def test_addresses_paths_and_commands_stay_whole(width):
    lines = fit(FINDING, width).split("\n")
    assert all(any(word in line for line in lines) for word in WHOLE)
    assert all(len(line) <= width or "`hardway build" in line for line in lines)
    assert " ".join(" ".join(lines).split()) == " ".join(FINDING.split())


def test_a_command_that_is_wider_than_the_terminal_has_a_line_of_its_own():
    command = "`hardway build --rotate cert/kube-apiserver-to-kubelet-signer 05`"
    assert command in [line.strip() for line in fit(FINDING, 60).split("\n")]


def test_what_fits_is_left_alone():
    text = "a  table   with\n    columns   and\n\nblank lines\n"
    assert fit(text, 40) == text


def test_what_is_too_long_hangs_under_its_column():
    assert (
        fit("note      the release is the embedded one", 30) == "note      the release is the\n          embedded one"
    )
    assert fit("    fix: read the release, and build it again", 30) == (
        "    fix: read the release, and\n         build it again"
    )
    assert fit("error: one two three four five", 20) == "error: one two three\n    four five"


def test_wrapping_begins_lines_as_told():
    assert wrap("one two three", 9, first="a ", rest="b ") == ["a one two", "b three"]


def test_colours_change_no_character():
    text = FINDING + "\nwarning: x\n05 PKI   verified   102 files\nsee cert/root-ca, `hardway status`"
    assert painted(text) != text
    assert without_colours(painted(text)) == text


@pytest.mark.parametrize(
    ("text", "coloured"),
    [
        ("error: x", "\x1b[31merror\x1b[0m: x"),
        ("    fix: x", "\x1b[32m    fix:\x1b[0m x"),
        ("a.yaml:1:1: warning: x", "a.yaml:1:1: \x1b[33mwarning\x1b[0m: x"),
        ("see cert/root-ca, now", "see \x1b[36mcert/root-ca\x1b[0m, now"),
        ("run `hardway explain cert/root-ca`", "run `hardway explain \x1b[36mcert/root-ca\x1b[0m`"),
        ("4/4, and/or, a/cert/b", "4/4, and/or, a/cert/b"),
    ],
)
def test_what_is_coloured(text, coloured):
    assert painted(text) == coloured


def test_every_kind_of_address_is_coloured():
    assert sorted(KINDS.split()) == sorted(CHARTS)


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("    fix: run `hardway build 04`", "    fix: run `hardway -C 'my c' build 04`"),
        ("Next: hardway verify 05", "Next: hardway -C 'my c' verify 05"),
        ("    command: hardway build 05", "    command: hardway -C 'my c' build 05"),
        ("fix: `hardway -C d build`", "fix: `hardway -C d build`"),
        ("fix: make one with `hardway init d`", "fix: make one with `hardway init d`"),
        ("fix: bring one up with `hardway lab up DIR`", "fix: bring one up with `hardway lab up DIR`"),
        ("fix: `hardway lab down /other`", "fix: `hardway lab down /other`"),
        ("fix: see `hardway build --help`", "fix: see `hardway build --help`"),
        ("waiting for `hardway build`, process 7", "waiting for `hardway build`, process 7"),
    ],
)
def test_a_command_that_is_named_works_from_here(said, wanted, monkeypatch):
    assert usable(said) == said
    monkeypatch.setattr(chosen, "folder", "my c")
    assert usable(said) == wanted


def test_a_command_to_paste_is_never_broken():
    line = f"    command: openssl {'x ' * 60}end"
    assert fit(line, 80) == line
