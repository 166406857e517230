"""Reasons and values, held against each other in both directions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import yaml

from hardway.emit.document import Document, leaves
from hardway.workspace.catalogue import documents
from hardway.workspace.folder import Workspace


def uncovered(workspace: Workspace) -> list[str]:
    """Values without a reason."""
    found = []
    for document in documents(workspace.loaded.cluster):
        body = _body(document, workspace)
        found += [f"{document.path}: {path}" for path, value in leaves(body) if document.covering(path, value) is None]
    return found


def used(workspace: Workspace) -> set[str]:
    """The addresses of reasons that stand at some value of this tree."""
    return {address for document in documents(workspace.loaded.cluster) for address in _used_by(document, workspace)}


def _used_by(document: Document, workspace: Workspace) -> Iterable[str]:
    for path, value in leaves(_body(document, workspace)):
        for length in range(1, len(path) + 1):
            found = document.reason(path[:length], value if length == len(path) else None)
            if found:
                yield found[0]


def _body(document: Document, workspace: Workspace) -> Any:
    return yaml.load(workspace.store.read(document.path) or b"", yaml.CSafeLoader)


def offered(workspace: Workspace) -> set[str]:
    """The addresses of all reasons that the documents of this tree carry."""
    found: set[str] = set()
    for document in documents(workspace.loaded.cluster):
        found |= {f"field/{document.file}#{name}" for name in document.fields}
        found |= {f"flag/{document.address.rsplit('/', 1)[-1]}/{name}" for name in document.flags}
    return found
