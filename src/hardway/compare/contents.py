"""What is inside files: the bytes of an Ignition entry, and the documents, commands and certificates in those."""

from __future__ import annotations

import json
import shlex
from base64 import b64decode
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote_to_bytes

from hardway.compare import certificates, keys
from hardway.compare.values import decoded, fields
from hardway.model import yaml


def content(entry: Mapping[str, Any]) -> bytes:
    """The bytes of a file entry; data URLs only, which is all that a bootstrap node is given."""
    sources = [entry["contents"]] if entry.get("contents") else entry.get("append") or []
    return b"".join(_data(part.get("source") or "") for part in sources)


def _data(source: str) -> bytes:
    head, _, body = source.partition(",")
    return b64decode(body) if head.endswith(";base64") else unquote_to_bytes(body)


def mapping(text: bytes) -> dict[str, Any] | None:
    """A document of the kind that Kubernetes reads; None if it is another thing, or one that refers to itself."""
    try:
        body = yaml.load(text)
        json.dumps(body, default=str)
    except (ValueError, TypeError):
        return None
    return body if isinstance(body, dict) else None


def commands(script: str) -> list[list[str]]:
    """Each command in words, without comments; a script that no shell could read has none."""
    try:
        lines = [shlex.split(line, comments=True) for line in script.replace("\\\n", " ").splitlines()]
    except ValueError:
        return []
    return [words for words in lines if words]


def embedded(body: Any) -> Iterator[tuple[str, bytes]]:
    """Certificates and keys inside a document: as PEM text or as base64 of it, with the field they are in."""
    for field, value in fields(body):
        text = decoded(value) if isinstance(value, str) else ""
        if text.startswith(certificates.BEGIN) or keys.is_key(text.encode()):
            yield field, text.encode()
