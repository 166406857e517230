"""The Kubernetes documents in a release's manifests: YAML with one or several documents, or JSON.

Every scalar of YAML is read as the text it is: nothing here needs numbers or dates, and a plain `=`, which some CRDs
hold in a list of operators, has no other reading at all.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from hardway.model import yaml
from hardway.model.errors import ToolError

EXTENSIONS = (".yaml", ".yml", ".json")
_MARKER = re.compile(rb"^---(?=\s|$)", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One document of a manifest file, with the very bytes that say it."""

    file: str
    body: Mapping[str, Any] = field(repr=False)
    raw: bytes = field(repr=False)

    @property
    def kind(self) -> str:
        return str(self.body.get("kind", ""))

    @property
    def group(self) -> str:
        return str(self.body.get("apiVersion", "")).rpartition("/")[0]

    @property
    def name(self) -> str:
        return str(section(self.body, "metadata").get("name", ""))

    @property
    def annotations(self) -> Mapping[str, Any]:
        return section(self.body, "metadata", "annotations")


def section(body: Any, *path: str) -> Mapping[str, Any]:
    """The mapping at a path; an empty one where there is none."""
    for key in path:
        body = body.get(key) if isinstance(body, Mapping) else None
    return body if isinstance(body, Mapping) else {}


@lru_cache(maxsize=1024)
def read(file: str, content: bytes) -> tuple[Document, ...]:
    """The documents of one file; ValueError if it is neither YAML nor JSON. Several readers ask for the same files."""
    if content.lstrip().startswith(b"{"):
        return tuple(_documents(file, content, _json(content)))
    parts = [part for part in _MARKER.split(content) if part.strip()]
    return tuple(d for part in parts for d in _documents(file, part, yaml.load(part, "text")))


def _json(content: bytes) -> Any:
    try:
        return json.loads(content)
    except RecursionError:
        raise ValueError("the nesting is too deep") from None


def _documents(file: str, raw: bytes, body: Any) -> Iterator[Document]:
    if body is None or body == "":  # nothing but comments
        return
    if not isinstance(body, dict):
        raise ValueError("a document in it is not a mapping")
    yield Document(file=file, body=body, raw=raw)


def of_kind(manifests: Mapping[str, bytes], kind: str, group: str) -> list[Document]:
    """Every document of a kind, in the order of the file names; files that never name the kind are not parsed."""
    found: list[Document] = []
    broken: list[str] = []
    for file in sorted(name for name, content in manifests.items() if kind.encode() in content):
        try:
            found += (d for d in read(file, manifests[file]) if (d.kind, d.group) == (kind, group))
        except ValueError as error:
            broken.append(f"{file} is neither YAML nor JSON: {error}")
    refuse(broken)
    return found


def defective(defects: list[str], of: str = "this release") -> ToolError:
    """All that is wrong with a release, in one error."""
    lines = "\n".join(f"    {defect}" for defect in defects)
    return ToolError(
        f"{of} cannot be used:\n"
        f"{lines}\n"
        "    fix: the fault is in the release itself: compare its digest with the publisher's, or name another "
        "release"
    )


def refuse(defects: list[str], of: str = "this release") -> None:
    if defects:
        raise defective(defects, of)
