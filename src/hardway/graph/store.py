"""The only writer of artifacts: atomic files with exact modes, and a record of what was built from what.

The record is a journal of JSON lines. A file's line is written before the file is put in place: a build killed
between the two leaves a line without its file, which the next build sees, and never a file that nobody knows.
A finished build rewrites the journal without the lines that were superseded.
"""

from __future__ import annotations

import errno
import json
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardway.graph.asset import digest
from hardway.io import atomic, links, plain
from hardway.io.folder import remove
from hardway.io.lock import locked
from hardway.model.errors import ToolError

RECORD = ".hardway.jsonl"
LOCK = ".lock"
LONGEST_NAME, LONGEST_PATH = 255, 1000  # bytes: of a file system, and far below the kernel's bound


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What the record says of one file."""

    address: str
    path: str
    content: str  # digest of the file's content
    stamp: dict[str, str]  # digest of each thing it was made from

    def line(self) -> str:
        return json.dumps(
            {"address": self.address, "path": self.path, "content": self.content, "stamp": self.stamp}, sort_keys=True
        )


def _parse(line: str) -> Entry | None:
    try:
        row: dict[str, Any] = json.loads(line)
        entry = Entry(address=row["address"], path=row["path"], content=row["content"], stamp=row["stamp"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return None  # the line that a killed build did not finish
    return entry if _is_ours(entry) else None


def _was_begun(line: str) -> bool:
    """The last line, which a killed build did not finish: this is no damage."""
    return not line.endswith("\n") and line.startswith("{")


def _is_ours(entry: Entry) -> bool:
    """ASCII text everywhere, as all our names are, and a path that stays in the folder: a build removes what it
    names."""
    if not isinstance(entry.stamp, dict):
        return False
    texts = (entry.address, entry.path, entry.content, *entry.stamp, *entry.stamp.values())
    if not all(isinstance(text, str) and text.isascii() for text in texts):
        return False
    parts = entry.path.split("/")
    short = len(entry.path) <= LONGEST_PATH and all(len(part) <= LONGEST_NAME for part in parts)
    return short and "\0" not in entry.path and not {"", ".", ".."} & set(parts)


class Store:
    """A folder of artifacts."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._record = root / RECORD
        self._entries: dict[str, Entry] = {}
        self._earlier: dict[str, set[str]] = {}
        self._folders: set[Path] = set()
        self._no_links: set[Path] = set()
        self._loaded: bytes | None = None  # the record that the entries are those of
        self._compact = True  # whether it has no line too many
        self.fault = ""  # what is wrong with the record as it was found
        self._load()

    def _load(self) -> None:
        """The record as it is; nothing to do if it is what was read before."""
        found = self.read(RECORD)
        content = found or b""
        if content == self._loaded:
            return
        self._loaded = content
        self._entries.clear()
        unread = 0
        for line in content.decode(errors="replace").splitlines(keepends=True):
            if entry := _parse(line):
                self._earlier.setdefault(entry.address, set()).add(entry.content)
                self._entries[entry.address] = entry
            elif line.strip():
                unread += not _was_begun(line)
        damage = f"is damaged: {unread} of its lines cannot be read" if unread else ""
        self.fault = "is missing" if found is None else damage
        self._compact = content.count(b"\n") == len(self._entries)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Only one build at a time; the lock ends with the process, however it ends."""
        self._made(self.root)
        with ExitStack() as held:
            with _writing(self.root / LOCK):
                held.enter_context(locked(self.root / LOCK, self._refuse))
            for part in list(self.root.rglob(atomic.PARTS)):  # what a killed build was writing, keys among it
                remove(part)
            self._load()
            yield

    def _refuse(self, holder: str) -> None:
        message = f"another build is at work in {self.root}.\n    fix: wait for it to end, then run this again"
        raise ToolError(message)

    def entry(self, address: str) -> Entry | None:
        return self._entries.get(address)

    def superseded(self, address: str, content: str) -> bool:
        """Whether this was the content of an earlier build, which an interrupted one was about to replace."""
        return content in self._earlier.get(address, ())

    def entries(self) -> Iterator[Entry]:
        return iter(list(self._entries.values()))

    def read(self, path: str, largest: int = 0) -> bytes | None:
        target = self.root / path
        self._refuse_links(target.parent)
        try:
            return links.read(target, largest=largest)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except plain.NotPlain:
            raise
        except OSError as error:
            raise ToolError(f"cannot read {self.root / path}: {error.strerror}") from None

    def write(self, path: str, content: bytes, mode: int) -> None:
        """Put a file in place whole or not at all; no one else can read a secret even while it is written."""
        target = self.root / path
        self._made(target.parent)
        with _writing(target):
            atomic.write(target, content, mode)

    def folder(self, path: str) -> Path:
        """A private folder for what others put in place here; made if it is missing."""
        self._made(self.root / path)
        return self.root / path

    def note(self, entry: Entry) -> None:
        """Record a file that is about to be put in place."""
        self._entries[entry.address] = entry
        self._loaded, self._compact = None, False
        self._made(self.root)
        with _writing(self._record), open(self._record, "ab", opener=links.no_link) as stream:
            stream.write(f"\n{entry.line()}\n".encode())  # the first newline ends a line that a killed build left open

    def forget(self, address: str) -> None:
        self._entries.pop(address, None)
        self._loaded, self._compact = None, False

    def remove(self, path: str) -> None:
        self._refuse_links((self.root / path).parent)
        (self.root / path).unlink(missing_ok=True)

    def compact(self) -> None:
        """Rewrite the record with one line per file, if that changes anything."""
        if self._compact and self._record.exists():
            return
        text = "".join(f"{e.line()}\n" for e in sorted(self._entries.values(), key=lambda e: e.address))
        self.write(RECORD, text.encode(), 0o600)
        self._compact = True

    def intact(self, entry: Entry) -> bool:
        """Whether the file still is what the record says; a folder is not."""
        place = self.root / entry.path
        if place.is_dir() and not place.is_symlink():
            return False
        content = self.read(entry.path)
        return content is not None and digest(content) == entry.content

    def _refuse_links(self, folder: Path) -> None:
        """From the root on: what is above it is the user's own."""
        if folder in self._no_links:
            return
        if folder != self.root:
            self._refuse_links(folder.parent)
        links.refuse(folder)
        self._no_links.add(folder)

    def _made(self, folder: Path) -> None:
        if folder in self._folders:
            return
        self._refuse_links(folder)
        if folder != self.root:
            self._made(folder.parent)
        try:
            folder.mkdir(mode=0o700, exist_ok=True)
            if stat.S_IMODE(folder.stat().st_mode) & 0o077:
                folder.chmod(0o700)  # it holds keys, whoever made it
        except OSError as error:
            fix = "move away what has this name, or give hardway permission to write there"
            raise ToolError(f"cannot make the folder {folder}: {error.strerror}.\n    fix: {fix}") from None
        self._folders.add(folder)


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except plain.NotPlain:
        raise
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        fix = "make room on the disk" if full else "get permission to write there"
        raise ToolError(f"cannot write {path}: {error.strerror}.\n    fix: {fix}") from None
