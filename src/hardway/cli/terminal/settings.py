"""How much the user wants to be told, and in which colours. Set when the command line is read; all that prints asks."""

from __future__ import annotations

import os
import shutil
import sys

COLORS = ("auto", "always", "never")
FULL = 110  # columns of text; a line that is longer is hard to read, however wide the terminal


class Settings:
    """One command line's."""

    color = "auto"
    verbose = False
    quiet = False
    output = "text"
    command = "hardway"  # the one whose options are being read, with its groups
    folder = "."  # of the cluster, as a command that is printed names it


chosen = Settings()


def on_terminal(*, err: bool = False) -> bool:
    """Whether the stream is a terminal that can move its cursor."""
    stream = sys.stderr if err else sys.stdout
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def colored(*, err: bool = False) -> bool:
    if chosen.color == "auto":
        return on_terminal(err=err) and not os.environ.get("NO_COLOR")
    return chosen.color == "always"


def columns(*, err: bool = False) -> int | None:
    """The terminal's width; None where the stream is no terminal, and nothing has to fit."""
    stream = sys.stderr if err else sys.stdout
    if not stream.isatty():
        return None
    if os.environ.get("COLUMNS", "").isdigit():
        return shutil.get_terminal_size().columns
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except OSError:
        return 80
