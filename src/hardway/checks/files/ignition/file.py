"""An Ignition file as the machine that gets it would read it."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote_to_bytes

from hardway.checks.files.artifacts import Artifacts
from hardway.checks.files.shapes import at, is_list_of_mappings, mapping, mappings, parse_json, text
from hardway.ignition.bootstrap import OPT
from hardway.model.cluster import Node

REBUILD = "remove the file and run `hardway build 08`"
LISTS = (("storage", "files"), ("systemd", "units"), ("passwd", "users"))


class Ign:
    """One Ignition file: what it would put where."""

    def __init__(self, path: str, document: dict[str, Any]) -> None:
        self.path = path
        self.document = document
        self.entries = mappings(document, "storage", "files")
        self.units = mappings(document, "systemd", "units")
        self.users = mappings(document, "passwd", "users")
        self._decoded: dict[str, bytes] = {}

    def content(self, entry: dict[str, Any]) -> bytes:
        parts = [mapping(entry, "contents"), *mappings(entry, "append")]
        return b"".join(self._source(text(part, "source")) for part in parts)

    def _source(self, source: str) -> bytes:
        if source not in self._decoded:
            self._decoded[source] = _decode(source)
        return self._decoded[source]

    def entry(self, path: str) -> dict[str, Any] | None:
        return next((e for e in self.entries if e.get("path") == path), None)

    def file(self, path: str) -> bytes | None:
        entry = self.entry(path)
        return None if entry is None else self.content(entry)

    def json(self, path: str) -> Any:
        return parse_json(self.file(path) or b"")

    def unit(self, name: str) -> dict[str, Any] | None:
        return next((u for u in self.units if u.get("name") == name), None)

    @property
    def paths(self) -> set[str]:
        return {str(e.get("path")) for e in self.entries}


def _decode(source: str) -> bytes:
    if not source.startswith("data:"):
        return b""
    head, _, body = source.partition(",")
    try:
        return b64decode(body) if head.endswith(";base64") else unquote_to_bytes(body)
    except ValueError:
        return b""


def misshapen(document: Any) -> str:
    """The first section that Ignition could not read; empty if there is none."""
    if not isinstance(document, dict):
        return "the document"
    sections = [name for name, _ in LISTS if not isinstance(document.get(name), dict | None)]
    lists = [".".join(where) for where in LISTS if not is_list_of_mappings(at(document, *where))]
    return next(iter([*sections, *lists]), "")


def files(artifacts: Artifacts) -> Iterator[tuple[Node, Ign]]:
    """Each node's file that is there and readable; one that is not is another check's business."""
    for node in artifacts.cluster.nodes:
        if (ign := artifacts.cached(_read, f"{node.name}.ign")) is not None:
            yield node, ign


def _read(artifacts: Artifacts, path: str) -> Ign | None:
    document = parse_json(artifacts.read(path) or b"")
    return None if misshapen(document) else Ign(path, document)


def node_path(path: str) -> str:
    """Where the bootstrap node has a manifest of the artifacts."""
    return f"{OPT}/{path}"


def bootstrap(artifacts: Artifacts) -> Ign | None:
    return next((ign for node, ign in files(artifacts) if node.role == "bootstrap"), None)


def members(artifacts: Artifacts) -> Iterator[tuple[Node, Ign]]:
    return ((node, ign) for node, ign in files(artifacts) if node.role != "bootstrap")
