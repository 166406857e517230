"""Text for people. On a terminal it fits the width and has colours; elsewhere its lines stay as they are."""

from __future__ import annotations

import re
import shlex
import sys
from io import TextIOWrapper
from textwrap import TextWrapper
from typing import TextIO

import click

from hardway.cli.terminal.settings import FULL, chosen, colored, columns
from hardway.io.harmless import harmless

COMMAND = re.compile(r"`[^`\n]*`")
OURS = re.compile(
    r"(`|^Next: |^ +command: )hardway (?!-C |init |lab down |[^`\n]*(?:\bDIR\b|--help|`, process ))(?=[a-z])",
    re.MULTILINE,
)
"""A command to run in the cluster's folder: not one that names a folder itself, nor a process that runs already."""
READABLE = 28  # columns that a text beside another one needs
HELD = "\ue000"  # a blank between backticks, while lines are broken at the others
GAP = re.compile(r"(\s*\S+(?: \S+)* {2,})\S")  # up to the second column of a table
PASTED = re.compile(r" +command: ")
LABEL = re.compile(r"( +[a-z]+: )")

KINDS = (
    "bootkube bundle cert check clusteroperator component console csr deviation difference failure field file flag "
    "hash id ignition image key kubeconfig libvirt manifest metadata milestone operator order password plan pod port "
    "program pub record rule size stage stall term unit"
)
ADDRESS = rf"(?<![\w/.~@-])(?:assets|{KINDS.replace(' ', '|')})/[^\s,;:)`'\"]+"
RULES = (
    (re.compile(r"^(?:error|FAILED|missing)\b|(?<=  )WRONG\b|(?<=  )faulty$"), "red"),
    (re.compile(r"^(?:warning|ignored|stale)\b|(?<=: )warning(?=:)|(?<=  )stale\b"), "yellow"),
    (re.compile(r"^ +fix:|(?<=  )verified\b|(?<=  )Ready$"), "green"),
    (re.compile(r"^(?:note|hint|skipped|deadline)\b"), "magenta"),
    (re.compile(ADDRESS), "cyan"),
    (COMMAND, "bold"),
    (re.compile(r"(?<=^    command: ).+"), "bold"),
)


def show(text: str = "", *, err: bool = False, nl: bool = True) -> None:
    display(usable(text), err=err, nl=nl)


def display(text: str, *, err: bool = False, nl: bool = True) -> None:
    """Text that says what commands are for, not which one to run now."""
    color, safe = colored(err=err), fitted(harmless(text), err=err)
    click.echo(painted(safe) if color else safe, file=_display(err=err), err=err, nl=nl, color=color)


def _display(*, err: bool) -> TextIO | None:
    """The stream of an open display, which prints above itself. Left alone, click prints into it."""
    stream = sys.stderr if err else sys.stdout
    return None if isinstance(stream, TextIOWrapper) else stream


def usable(text: str) -> str:
    """Commands that the text names work where the reader is: with -C, if this command was given one."""
    return OURS.sub(lambda found: f"{found[1]}{ours()} ", text)


def ours() -> str:
    return "hardway" if chosen.folder == "." else f"hardway -C {shlex.quote(chosen.folder)}"


def tell(text: str = "", *, err: bool = False, nl: bool = True) -> None:
    """What was done, what was left out, what comes next: all that nobody asked for, and that --quiet leaves out."""
    if not chosen.quiet:
        show(text, err=err, nl=nl)


def note(text: str) -> None:
    """Progress as a line, beside what the command prints."""
    tell(text, err=True)


def fitted(text: str, *, err: bool = False) -> str:
    """In the terminal's width, if there is a terminal."""
    width = columns(err=err)
    return text if width is None else fit(text, width)


def fit(text: str, width: int) -> str:
    """Only what is too long is broken, between words; the rest hangs under the beginning of its column."""
    return "\n".join(part for line in text.split("\n") for part in _lines(line, width))


def _lines(line: str, width: int) -> list[str]:
    if len(line) <= width or PASTED.match(line):
        return [line]
    return wrap(line, min(width, max(FULL, len(line) - len(line.lstrip()))), rest=" " * _hang(line, width))


def _hang(line: str, width: int) -> int:
    """Where what follows stands: under the second column, under the text after a label, or a little to the right."""
    for shape in (LABEL, GAP):
        if (found := shape.match(line)) and found.end(1) <= max(width // 2, width - READABLE):
            return found.end(1)
    return min(len(line) - len(line.lstrip()) + 4, width // 2)


def wrap(text: str, width: int, *, first: str = "", rest: str = "") -> list[str]:
    """Words stay whole: addresses, paths, and commands between backticks. One that is wider has its own line."""
    held = COMMAND.sub(lambda found: found[0].replace(" ", HELD), text)
    shape = TextWrapper(
        width,
        initial_indent=first,
        subsequent_indent=rest,
        expand_tabs=False,
        replace_whitespace=False,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace(HELD, " ") for line in shape.wrap(held)]


def painted(text: str) -> str:
    return "\n".join(map(_painted, text.split("\n")))


def _painted(line: str) -> str:
    """Each place has one colour, that of the first rule that fits."""
    taken: list[tuple[int, int, str]] = []
    for pattern, style in RULES:
        for found in pattern.finditer(line):
            if not any(begin < found.end() and found.start() < end for begin, end, _ in taken):
                taken.append((*found.span(), style))
    for begin, end, style in sorted(taken, reverse=True):
        line = line[:begin] + styled(line[begin:end], style) + line[end:]
    return line


def styled(text: str, style: str) -> str:
    return click.style(text, bold=True) if style == "bold" else click.style(text, fg=style)
