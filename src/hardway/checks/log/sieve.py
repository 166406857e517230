"""The lines of a log that contain one of many words, with their numbers. There are two ways to the same result: grep,
which is many times as quick, and Python, where grep is missing or the log is short."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import BinaryIO

from hardway.tools import run as tools

PIECE = 1 << 20
LONGEST = 1 << 16
"""Of a line, so much is looked at."""

Line = tuple[int, bytes]


class Pieces:
    """A stream in pieces of whole lines; of a line that does not end, a part is taken for a line."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream
        self.last = b""
        self.lines = 0

    def __iter__(self) -> Iterator[bytes]:
        rest = b""
        while block := self.stream.read(PIECE):
            cut = block.rfind(b"\n") + 1
            if cut:
                self.last = rest + block[:cut]
                rest = block[cut:]
            elif len(rest) + len(block) < PIECE:
                rest += block
                continue
            else:
                self.last, rest = rest + block + b"\n", b""
            self.lines += self.last.count(b"\n")
            yield self.last
        if rest:
            self.last = rest + b"\n"
            self.lines += 1
            yield self.last


def sift(pieces: Iterable[bytes], words: Sequence[bytes]) -> Iterator[Line]:
    every = iter(pieces)
    first = next(every, b"")
    whole = chain((first,), every)
    if len(first) >= PIECE // 2 and tools.have("grep"):
        return by_grep(whole, words)
    return by_search(whole, words)


def by_grep(pieces: Iterable[bytes], words: Sequence[bytes]) -> Iterator[Line]:
    patterns = [part for word in words for part in ("-e", word.decode())]
    ended = True
    for line in tools.through(["grep", "--text", "--line-number", "--fixed-strings", *patterns], pieces, found=(0, 1)):
        begins, ended = ended, line.endswith(b"\n")
        if begins:  # the rest of a long line has no number, though it may look as if it had
            number, _, text = line.partition(b":")
            yield int(number), text.rstrip(b"\n")


def by_search(pieces: Iterable[bytes], words: Sequence[bytes]) -> Iterator[Line]:
    before = 0
    for piece in pieces:
        place, number = 0, before
        for begin, end in sorted(_places(piece, words).items()):
            number += piece.count(b"\n", place, begin)
            place = begin
            yield number + 1, piece[begin : min(end, begin + LONGEST)]
        before += piece.count(b"\n")


def _places(piece: bytes, words: Sequence[bytes]) -> dict[int, int]:
    """Where the lines with one of the words begin and end."""
    places: dict[int, int] = {}
    for word in words:
        at = piece.find(word)
        while at >= 0:
            end = piece.find(b"\n", at)
            end = len(piece) if end < 0 else end
            places[piece.rfind(b"\n", 0, at) + 1] = end
            at = piece.find(word, end)
    return places
