"""What the tables ask for, given the cluster and the files on disk that a row is made from."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from cryptography.x509 import ExtensionNotFound

from hardway.checks.files.artifacts import Artifacts
from hardway.emit.document import Document, asset, flag_name, path_text
from hardway.graph.asset import Asset, Given
from hardway.model.entropy import SystemEntropy

Place = tuple[str | int, ...]
ABSENT = object()


def given(artifacts: Artifacts, row: Asset) -> Given:
    """The inputs of a row as they are on disk."""

    def content(address: str) -> bytes:
        return artifacts.read(artifacts.paths[address]) or b""

    return Given(asset=row, cluster=artifacts.cluster, content=content, entropy=SystemEntropy())


def body(artifacts: Artifacts, document: Document) -> Any:
    """The document as the table has it; None if something that it is made from is missing or cannot be read."""
    row = asset(document, stage="07", comments="none")
    if not all(artifacts.read(artifacts.paths[need]) for need in document.needs):
        return None
    try:
        return json.loads(json.dumps(document.body(given(artifacts, row))))
    except (ValueError, LookupError, ExtensionNotFound):
        return None


def differences(found: Any, wanted: Any, place: Place = ()) -> Iterator[tuple[Place, Any, Any]]:
    """Each place in which two documents differ, with both values; ABSENT where one has nothing."""
    if isinstance(found, dict) and isinstance(wanted, dict):
        for key in dict.fromkeys((*wanted, *found)):
            yield from differences(found.get(key, ABSENT), wanted.get(key, ABSENT), (*place, str(key)))
    elif _flags(wanted) and isinstance(found, list):
        yield from _words(found, wanted)
    elif isinstance(found, list) and isinstance(wanted, list) and len(found) == len(wanted):
        for index, pair in enumerate(zip(found, wanted, strict=True)):
            yield from differences(*pair, (*place, index))
    elif found != wanted or type(found) is not type(wanted):
        yield place, found, wanted


def _flags(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(word, str) and flag_name(word) for word in value)


def _words(found: Sequence[Any], wanted: Sequence[str]) -> Iterator[tuple[Place, Any, Any]]:
    """Command lines, flag by flag: their order has no meaning, the number of times does."""
    ours, theirs = _by_flag(wanted), _by_flag([str(word) for word in found])
    for name in dict.fromkeys((*ours, *theirs)):
        if theirs.get(name) != ours.get(name):
            yield (name,), _joined(theirs.get(name)), _joined(ours.get(name))


def _by_flag(words: Sequence[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for word in words:
        found.setdefault(flag_name(word) or word, []).append(word.partition("=")[2])
    return found


def _joined(values: list[str] | None) -> Any:
    return ABSENT if values is None else " and ".join(values)


def in_words(place: Place, found: Any, wanted: Any, *, secret: bool) -> str:
    """A difference as a message; what may be a secret is not shown."""
    name = path_text(place) if place else "the document"
    if found is ABSENT:
        return f"{name} is missing" if secret else f"{name} is missing, and must be {_short(wanted)}"
    if wanted is ABSENT:
        return f"{name} is not in the table"
    return f"{name} differs from the table" if secret else f"{name} is {_short(found)}, and must be {_short(wanted)}"


def _short(value: Any) -> str:
    text = value if isinstance(value, str) and value else json.dumps(value, default=str)
    return text if len(text) <= 100 else f"{text[:97]}..."
