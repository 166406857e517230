"""A call in a process of its own, which has all modules imported already: a start without Python's."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from tempfile import TemporaryFile
from typing import IO, NoReturn

from hardway.cli.main import main


def hardway(*words: str | Path, cwd: Path | None = None, **environment: str) -> CompletedProcess[str]:
    """The program as a user runs it, but for its start; `hardway_program` has the one that is started."""

    def call() -> None:
        os.chdir(cwd or ".")
        os.environ.update(environment)
        sys.argv = ["hardway", *map(str, words)]
        main()

    return forked(call)


def forked(call: Callable[[], object]) -> CompletedProcess[str]:
    with TemporaryFile() as out, TemporaryFile() as err:
        child = os.fork()
        if child == 0:
            _end(call, out, err)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        return CompletedProcess((), code, _text(out), _text(err))


def _end(call: Callable[[], object], out: IO[bytes], err: IO[bytes]) -> NoReturn:
    """As Python ends, but for what the parent would do at its own end."""
    code: object = 1
    try:
        os.dup2(out.fileno(), 1)
        os.dup2(err.fileno(), 2)
        sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")
        call()
        code = 0
    except SystemExit as ended:
        code = ended.code or 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else 1)


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode()
