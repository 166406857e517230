"""What was gathered: files without secrets, bounded in size and time, and a list of what is missing and why."""

from __future__ import annotations

import io
import json
import re
import tarfile
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from threading import Lock

from hardway.gather.secrets import Secrets
from hardway.io import atomic
from hardway.io.harmless import one_line
from hardway.model.errors import HardwayError
from hardway.tools.patience import Patience

TOP = "hardway-gather"
INDEX, PAGE, FINDINGS = "index.json", "index.md", "findings.json"
VERSION = 1
LARGEST, MOST = 8 << 20, 96 << 20
"""Bytes of one file, of which the end is kept, and of all of them."""
MANY = 4000
OVER = "the time was over"
_ODD = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    name: str
    what: str
    bytes: int
    cut: bool  # its beginning was left out


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    name: str
    why: str
    fix: str = ""


@dataclass(slots=True, kw_only=True)
class Archive:
    cluster: str
    now: datetime
    secrets: Secrets
    patience: Patience
    entries: list[Entry] = field(default_factory=list)
    missing: list[Missing] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    size: int = 0
    lock: Lock = field(default_factory=Lock)

    def add(self, name: str, content: bytes | str, what: str) -> None:
        """Without its secrets; of a long one, the end."""
        given = content.encode("utf-8", "replace") if isinstance(content, str) else content
        tail = given if len(given) <= LARGEST else given[-LARGEST:].partition(b"\n")[2]
        clean = self.secrets.without(tail)
        with self.lock:
            if name in self.files or len(self.files) >= MANY or self.size + len(clean) > MOST:
                full = f"the archive has {MOST >> 20} MB or {MANY} files already"
                self.miss(name, "the name is taken" if name in self.files else full)
                return
            self.files[name] = clean
            self.size += len(clean)
            self.entries.append(Entry(name=name, what=what, bytes=len(clean), cut=len(tail) < len(given)))

    def miss(self, name: str, why: str) -> None:
        """With the reason and, where it has one, its fix. A reason that begins with a part of the name loses that."""
        reason, _, fix = why.partition("\n    fix: ")
        subject, _, rest = reason.partition(": ")
        told = rest if rest and subject in name.split("/") else reason
        self.missing.append(Missing(name=name, why=self._clean(told), fix=self._clean(fix)))

    def _clean(self, told: str) -> str:
        return self.secrets.without(one_line(told).encode()).decode()

    def attempt(self, name: str, what: str, make: Callable[[], bytes | str]) -> None:
        """One file. What cannot be had is listed with its reason, and ends nothing."""
        if self.patience.ended():
            self.miss(name, OVER)
            return
        try:
            self.add(name, make(), what)
        except (HardwayError, OSError) as error:
            self.miss(name, str(error))

    def index(self) -> bytes:
        told = {
            "hardway-gather": VERSION,
            "cluster": self.cluster,
            "gathered": self.now.isoformat(),
            "files": [asdict(entry) for entry in sorted(self.entries, key=lambda e: e.name)],
            "missing": [asdict(row) for row in sorted(self.missing, key=lambda m: m.name)],
        }
        return json.dumps(told, indent=2).encode() + b"\n"

    def page(self) -> bytes:
        rows = [
            f"# {self.cluster}",
            "",
            f"Gathered by `hardway gather` at {self.now:%Y-%m-%d %H:%M:%S} UTC. Keys, tokens, passwords and long runs",
            "of base64 were replaced by `(hidden)`. `hardway doctor FILE` reads this archive.",
            "",
            "| file | what | bytes |",
            "|---|---|---|",
            *(
                f"| [{e.name}]({e.name}) | {e.what}{' (its end)' if e.cut else ''} | {e.bytes} |"
                for e in sorted(self.entries, key=lambda e: e.name)
            ),
            "",
            "## What is missing, and why",
            "",
            *(f"- `{m.name}`: {m.why}" for m in sorted(self.missing, key=lambda m: m.name)),
        ]
        return "\n".join(rows).encode() + b"\n"

    def write(self, path: Path) -> None:
        """The index comes first: whoever reads the archive knows at once what it is."""
        everything = {INDEX: self.index(), PAGE: self.page(), **dict(sorted(self.files.items()))}
        with (
            atomic.new_file(path) as stream,
            tarfile.open(fileobj=stream, mode="w:gz", compresslevel=6) as archive,
        ):
            for name, content in everything.items():
                member = tarfile.TarInfo(f"{TOP}/{name}")
                member.size, member.mode, member.mtime = len(content), atomic.PRIVATE, int(self.now.timestamp())
                archive.addfile(member, io.BytesIO(content))


def part(name: str) -> str:
    """A name of somebody else's as one part of a path."""
    return _ODD.sub("_", name)[:120].lstrip(".") or "_"
