"""An archive as a witness: one of `hardway gather`, a log bundle of `openshift-install gather bootstrap`, a
must-gather, or any other tar archive of logs and objects. It is read as a stream; nothing of it is written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from tarfile import TarFile, TarInfo
from typing import Any, BinaryIO, cast

from hardway.checks.all import checks
from hardway.checks.cluster.objects import COLLECTIONS, Objects, sorted_out
from hardway.checks.cluster.table import TABLE as CLUSTER
from hardway.checks.failures import BY_ID
from hardway.checks.files.shapes import mapping, mappings, parse_json, strings, text
from hardway.checks.log.scan import Scanned
from hardway.checks.log.table import TABLE as LOG
from hardway.doctor.log import MOST_UNPACKED, Room, TooMuch, events, scanned_bytes, scanned_from
from hardway.doctor.past import past
from hardway.gather.archive import FINDINGS, INDEX, TOP, VERSION
from hardway.io import plain
from hardway.io.harmless import one_line
from hardway.model import yaml
from hardway.model.check import Check, Finding, Report, run
from hardway.model.entropy import SystemEntropy
from hardway.model.errors import ConfigError
from hardway.model.json import values
from hardway.registry.errors import RegistryError
from hardway.registry.unpack import members, unpacked

MOST_MEMBERS = 100_000
LARGEST, MOST_OBJECTS = 64 << 20, 256 << 20
"""Bytes of a file with objects, and of all of them."""
MOST_VALUES = 8_000_000
"""In all objects."""
QUOTE = "'"
"""In place of a backtick: words between backticks are shown as a command."""
DOCUMENTS = (".json", ".yaml", ".yml")
NO_LOGS = (".jsonl", ".csv", ".md", ".html", ".conf", ".png", ".svg")
KIND = re.compile(rb'"?kind"?: *"?(?:' + "|".join(COLLECTIONS).encode() + rb")(?:List)?\b")
LIST = re.compile(rb'"?kind"?: *"?List\b')


@dataclass(slots=True)
class Bundle:
    """What was read of an archive so far."""

    name: str
    logs: list[Scanned] = field(default_factory=list)
    objects: list[object] = field(default_factory=list)
    newest: float = 0.0
    files: int = 0
    members: int = 0
    room: Room = field(default_factory=lambda: Room(MOST_UNPACKED))
    parsed: int = 0
    values: int = 0
    unread: list[str] = field(default_factory=list)
    index: Any = None
    findings: Any = None


def read(path: Path) -> Report:
    """What an archive shows."""
    shown = one_line(path.name)
    try:
        with plain.opened(path) as stream, unpacked(stream, shown) as archive:
            bundle = Bundle(shown)
            for member in members(archive):
                _take(bundle, archive, member)
    except RegistryError as error:
        reason = str(error).partition("\n")[0].replace("not a readable layer", "is not a tar archive, or is damaged")
        raise ConfigError(f"{reason}.\n    fix: name an archive; a single log is read with `--log FILE`") from None
    except plain.NotPlain as error:
        raise ConfigError(f"{shown}: {error.strerror}.\n    fix: name a file") from None
    return _report(bundle)


def _take(bundle: Bundle, archive: TarFile, member: TarInfo) -> None:
    bundle.members += 1
    bundle.room.take(max(0, member.size), bundle.name)
    if bundle.members > MOST_MEMBERS:
        most = f"{MOST_MEMBERS} files and folders"
        raise ConfigError(f"{bundle.name}: has more than {most}.\n    fix: give a part of it, or single logs by --log")
    if not member.isreg() or member.issparse():
        return
    bundle.files += 1
    bundle.newest = max(bundle.newest, float(member.mtime))
    name = one_line(member.name.removeprefix("./"))
    stream = cast(BinaryIO, archive.extractfile(member))
    if name.endswith(DOCUMENTS):
        _document(bundle, name, member.size, stream)
    elif not name.endswith(NO_LOGS):
        _log(bundle, name, stream)


def _log(bundle: Bundle, name: str, stream: BinaryIO) -> None:
    try:
        bundle.logs.append(scanned_from(stream, name, bundle.room))
    except TooMuch:
        raise
    except ConfigError:
        bundle.unread.append(name)


def _document(bundle: Bundle, name: str, size: int, stream: BinaryIO) -> None:
    if size > LARGEST or bundle.parsed + size > MOST_OBJECTS:
        bundle.unread.append(name)
        return
    content = stream.read()
    if name == f"{TOP}/{INDEX}":
        bundle.index = parse_json(content)
    elif name == f"{TOP}/{FINDINGS}":
        bundle.findings = parse_json(content)
    elif KIND.search(content) or LIST.search(content):
        bundle.parsed += size
        bundle.values += values(content)
        if bundle.values > MOST_VALUES:
            bundle.unread.append(name)
            return
        found = parse_json(content) if name.endswith(".json") else _yaml(content)
        bundle.objects += found if isinstance(found, list) else [found]


def _yaml(content: bytes) -> list[Any]:
    try:
        return yaml.load_all(content, "dates as text")
    except yaml.YamlError:
        return []


def _report(bundle: Bundle) -> Report:
    ours = mapping(bundle.index).get("hardway-gather") == VERSION
    state = _state(bundle, ours=ours)
    logs = Report.merge(run(LOG, log) for log in bundle.logs if log.sightings)
    if state.ok and any(name.startswith("cluster.") for name in state.ran):
        logs = past(logs)
    merged = Report.merge([state, logs])
    return replace(merged, notes=(*merged.notes, *_notes(bundle, ours=ours)))


def _state(bundle: Bundle, *, ours: bool) -> Report:
    """Of the cluster: as it was found where the archive was made, or by the objects in it."""
    objects = sorted_out(bundle.objects)
    if lines := events(objects.get("Event", ())):
        bundle.logs.append(scanned_bytes(lines, "events"))
    if ours:
        return _stored(bundle)
    when = min(datetime.fromtimestamp(min(bundle.newest, 4e9), UTC), SystemEntropy().now())
    return run(CLUSTER, Objects(where=bundle.name, now=when, of=objects)) if objects else Report(ran=(), findings=())


def _stored(bundle: Bundle) -> Report:
    """What `hardway gather` found where the cluster is. An archive comes from others: what this version does not know
    is left out, and said."""
    known = {check.name: check for check in checks()}
    rows = mappings(bundle.findings, "findings")
    good = [row for row in rows if text(row, "check") in known and text(row, "failure") in ("", *BY_ID)]
    notes = (f"{bundle.name}: {len(rows) - len(good)} findings of another version were left out",)
    return Report(
        ran=tuple(name for name in strings(bundle.findings, "ran") if name in known),
        findings=tuple(_finding(row, known[text(row, "check")]) for row in good),
        skipped={
            text(row, "check"): one_line(text(row, "reason"))
            for row in mappings(bundle.findings, "skipped")
            if text(row, "check") in known
        },
        notes=notes if len(good) < len(rows) else (),
    )


def _finding(row: dict[str, Any], check: Check[Any]) -> Finding:
    """Where and what is the archive's word. What to do is this program's: a reader pastes it into a shell."""
    subject, message, told = (one_line(text(row, key)) for key in ("subject", "message", "fix"))
    return Finding(
        check=check.name,
        subject=subject,
        message=message,
        fix=check.fix
        or (f"as the archive has it: {told.replace('`', QUOTE)}" if told else f"`hardway explain {check.address}`"),
        failure=text(row, "failure"),
        breaks=check.why.breaks,
        severity="warning" if text(row, "severity") == "warning" else "error",
        candidates=tuple(name for name in strings(row, "candidates") if name in BY_ID),
    )


def stored(report: Report) -> bytes:
    """What `_stored` reads."""
    kept = [f for f in report.findings if not f.check.startswith("log.")]  # the logs themselves are in the archive
    rows = [f.as_dict() | {"candidates": f.candidates} for f in kept]
    return json.dumps(report.as_dict() | {"findings": rows}, indent=1).encode() + b"\n"


def _notes(bundle: Bundle, *, ours: bool) -> Iterator[str]:
    lines = sum(log.lines for log in bundle.logs)
    yield f"{bundle.name}: {bundle.files} files, {lines} lines of logs. Silence does not mean that nothing is wrong."
    if ours:
        for row in mappings(bundle.index, "missing")[:20]:
            yield f"not in it: {one_line(text(row, 'name'))}: {one_line(text(row, 'why'))}"
    if bundle.unread:
        more = f" and {len(bundle.unread) - 3} more" if len(bundle.unread) > 3 else ""
        yield f"not read, because it is no text or too large: {', '.join(bundle.unread[:3])}{more}"
