"""Runs jobs on all cores in forked children.

Threads would not do: making an RSA key holds Python's lock. The children get their jobs and return their results
through pipes, and so end by themselves when this process ends, however it ends.
"""

from __future__ import annotations

import os
import struct
import sys
from collections.abc import Callable, Mapping

from hardway.model.errors import ToolError

_JOB = struct.Struct("H")
_HEAD = struct.Struct("HHB")  # job, length, whether it went well
_MOST = 4096  # what a pipe takes in one piece


class Forked:
    """Jobs by name, begun in the order given; a result is waited for when it is asked for."""

    def __init__(self, jobs: Mapping[str, Callable[[], bytes]], arrived: Callable[[str, bytes], None]) -> None:
        self._names = list(jobs)
        self._arrived = arrived
        self._results: dict[str, bytes] = {}
        job_in, job_out = os.pipe()
        self._inbox, result_out = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        self._children = [
            _child(list(jobs.values()), job_in, result_out, closing=(job_out, self._inbox))
            for _ in range(min(os.cpu_count() or 1, len(jobs)))
        ]
        os.close(job_in)
        os.close(result_out)
        os.write(job_out, b"".join(_JOB.pack(index) for index in range(len(jobs))))
        os.close(job_out)

    def __contains__(self, name: str) -> bool:
        return name in self._names

    def result(self, name: str) -> bytes:
        while name not in self._results:
            self._receive()
        return self._results[name]

    def _receive(self) -> None:
        index, length, went_well = _HEAD.unpack(self._read(_HEAD.size))
        content = self._read(length)
        if not went_well:
            raise RuntimeError(f"{self._names[index]}: {content.decode(errors='replace')}")
        self._arrived(self._names[index], content)
        self._results[self._names[index]] = content

    def _read(self, count: int) -> bytes:
        content = b""
        while len(content) < count:
            piece = os.read(self._inbox, count - len(content))
            if not piece:
                raise ToolError("a process of the build ended early: is the machine out of memory? Run it again.")
            content += piece
        return content

    def close(self) -> None:
        os.close(self._inbox)
        for child in self._children:
            os.waitpid(child, 0)


def _child(jobs: list[Callable[[], bytes]], inbox: int, outbox: int, *, closing: tuple[int, ...]) -> int:
    """Fork; the parent gets the child's pid, the child works until there are no more jobs or no more parent."""
    pid = os.fork()
    if pid:
        return pid
    try:
        for handle in closing:
            os.close(handle)
        while job := os.read(inbox, _JOB.size):
            (index,) = _JOB.unpack(job)
            os.write(outbox, _outcome(index, jobs[index]))
    except BaseException:  # nothing may run on in a child, not even clean-up that belongs to the parent
        os._exit(1)
    os._exit(0)


def _outcome(index: int, job: Callable[[], bytes]) -> bytes:
    try:
        content, went_well = job(), True
    except Exception as error:
        content, went_well = f"{type(error).__name__}: {error}".encode(), False
    content = content if went_well else content[: _MOST - _HEAD.size]
    return _HEAD.pack(index, len(content), went_well) + content
