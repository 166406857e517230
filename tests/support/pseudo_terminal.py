"""A program on a terminal: a real pseudo-terminal, and an emulator that says what a person sees on the screen."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyte

from hardway.tools.patience import Patience, stretched

CTRL_C = b"\x03"
SILENCE = 180.0  # seconds without a byte, after which nothing more is waited for


@dataclass(frozen=True, kw_only=True)
class Seen:
    code: int
    printed: str  # every byte, escapes included
    lines: list[str]  # of the screen at the end, without blanks at their ends
    pictures: list[list[str]]  # the screen after each piece that was printed
    cursor_hidden: bool

    @property
    def text(self) -> str:
        return "\n".join(self.lines).strip("\n")


def on_terminal(
    command: Sequence[str | Path],
    *,
    columns: int,
    rows: int = 200,
    cwd: Path | None = None,
    ctrl_c_after: str = "",
    terminate_after: str = "",
    pipe: bool = False,
    **environment: str,
) -> Seen:
    """Until it ends. `ctrl_c_after` is what must stand on the screen before Ctrl-C is pressed,
    `terminate_after` the same before SIGTERM is sent. With `pipe`, standard
    output is read by a program, and is no part of the screen."""
    screen = pyte.Screen(columns, rows)
    stream = pyte.ByteStream(screen)
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    process = subprocess.Popen(
        [str(word) for word in command],
        cwd=cwd,
        env=_environment(environment),
        stdin=theirs,
        stdout=subprocess.DEVNULL if pipe else theirs,
        stderr=theirs,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(theirs, termios.TIOCSCTTY, 0),
    )
    os.close(theirs)
    printed, pictures, pressed = b"", [], False
    patience = Patience(SILENCE)
    while not patience.ended():
        piece = _piece(ours)
        if piece is None:
            break
        if not piece:
            continue
        patience = Patience(SILENCE)
        printed += piece
        stream.feed(piece)
        pictures.append([line.rstrip() for line in screen.display])
        if pressed or not any((ctrl_c_after or terminate_after or "\n") in line for line in screen.display):
            continue
        os.write(ours, CTRL_C) if ctrl_c_after else process.terminate()
        pressed = True
    os.close(ours)
    code = process.wait(timeout=stretched(SILENCE))
    return Seen(
        code=code,
        printed=printed.decode(errors="replace"),
        lines=[line.rstrip() for line in screen.display],
        pictures=pictures,
        cursor_hidden=screen.cursor.hidden,
    )


def _piece(handle: int) -> bytes | None:
    """What came; nothing, if nothing came for a moment; None at the end."""
    if not select.select([handle], [], [], 0.1)[0]:
        return b""
    try:
        return os.read(handle, 1 << 16) or None
    except OSError:  # the last one has closed the other end
        return None


def _environment(given: Mapping[str, str]) -> dict[str, str]:
    unset = ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE")
    kept = {name: value for name, value in os.environ.items() if name not in unset}
    return {**kept, "TERM": "xterm-256color", "PYTHONUTF8": "1", **given}
