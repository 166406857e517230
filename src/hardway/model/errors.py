"""Three families of errors, each with its exit code. Anything else is a bug and shows a traceback."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hardway.model.problem import Problem


EXIT_CODES = {
    0: "success",
    1: "a bug in hardway",
    2: "wrong usage or configuration; nothing was changed",
    3: "a program or the machine failed",
    4: "verification found defects",
    130: "interrupted with Ctrl-C; finished work is kept",
    141: "the reader of the output has gone, as in `| head -1`",
    143: "ended by SIGTERM; finished work is kept",
}


class HardwayError(Exception):
    """An error that a user can do something about."""

    exit_code = 1


class ConfigError(HardwayError):
    """The input is wrong: nothing was built and nothing on disk has changed."""

    exit_code = 2

    def __init__(self, problems: Sequence[Problem] | str) -> None:
        self.problems: tuple[Problem, ...] = () if isinstance(problems, str) else tuple(problems)
        super().__init__(problems if isinstance(problems, str) else "\n".join(str(p) for p in self.problems))


class ToolError(HardwayError):
    """A program, or the machine, did not do what was asked of it."""

    exit_code = 3


class CheckError(HardwayError):
    """Verification found something wrong."""

    exit_code = 4
