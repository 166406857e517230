"""An error as data. With -o json each one is an object on a line of standard error, under the same keys always."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from hardway.cli.terminal.settings import chosen
from hardway.cli.terminal.text import usable

if TYPE_CHECKING:
    from hardway.model.problem import Problem

FIX = re.compile(r" +fix: (.+)")
PLACE = re.compile(r"(\S+): (?:error: )?(.+)", re.DOTALL)  # a path, an option, a host: one word
CHOICE = re.compile(r"\n\t")  # click lists the values of a missing argument on lines of their own
ASKED = re.compile(r" (?:-o ?|--output[ =])json\b")


def in_json(error: BaseException) -> bool:
    """Whether the command line asks for it; one that cannot be read is searched for the words."""
    unread = isinstance(error, click.UsageError)
    return chosen.output == "json" or (unread and ASKED.search(" ".join(sys.argv)) is not None)


def lines(error: BaseException, message: str, code: int) -> str:
    return "\n".join(map(json.dumps, _rows(error, message, code)))


def usage(error: click.UsageError) -> tuple[str, str]:
    """What is wrong with the command line, and the fix: its own, or one for every error of the kind."""
    text, _, fix = error.format_message().partition("\n    fix: ")
    text = CHOICE.sub(" ", text)
    kind = error.param.type if isinstance(error, click.BadParameter) and error.param else None
    if isinstance(kind, click.Path) and not isinstance(error, click.MissingParameter):
        fix = fix or ("name another folder" if kind.dir_okay else "name a file that can be read")
    command = error.ctx.command_path if error.ctx else chosen.command  # an option without its value has no context
    return text, fix or f"see `{command} --help`"


def problem_row(problem: Problem) -> dict[str, Any]:
    kind = "warning" if problem.warning else "error"
    return {kind: problem.text, "place": problem.place, "fix": usable(problem.fix)}


def _rows(error: BaseException, message: str, code: int) -> Iterator[dict[str, Any]]:
    if isinstance(error, click.UsageError):
        yield _row(*usage(error), code, place=None)
        return
    problems: tuple[Problem, ...] = getattr(error, "problems", ())
    for problem in problems:
        yield problem_row(problem) | ({} if problem.warning else {"exitCode": code})
    if not problems:
        yield from _parts(message, code)


def _parts(message: str, code: int) -> Iterator[dict[str, Any]]:
    """What is printed for people is one error or several, and after each a line with its fix."""
    said: list[str] = []
    for line in message.splitlines():
        if fix := FIX.fullmatch(line):
            yield _split("\n".join(said), fix[1], code)
            said = []
        else:
            said.append(line.strip())
    if said:
        yield _split("\n".join(said), None, code)


def _split(text: str, fix: str | None, code: int) -> dict[str, Any]:
    found = PLACE.fullmatch(text)
    return _row(found[2], fix, code, place=found[1]) if found else _row(text, fix, code, place=None)


def _row(text: str, fix: str | None, code: int, *, place: str | None) -> dict[str, Any]:
    return {"error": text, "place": place, "fix": fix and usable(fix), "exitCode": code}
