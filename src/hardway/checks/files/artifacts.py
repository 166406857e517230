"""What checks of files look at: a folder of artifacts, read and never asked of the builder."""

from __future__ import annotations

import stat
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import cached_property
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any, TypeVar

from hardway.checks.files import shapes
from hardway.io import links, plain
from hardway.model.cluster import Cluster

if TYPE_CHECKING:
    from cryptography.x509 import Certificate

T = TypeVar("T")


class Artifacts:
    """A folder of artifacts, whoever made them, the cluster that they should be, and the time."""

    def __init__(self, *, root: Path, cluster: Cluster, now: datetime) -> None:
        self.root = root
        self.cluster = cluster
        self.now = now
        self._made: dict[tuple[object, str], Any] = {}

    def read(self, path: str) -> bytes | None:
        try:
            return links.read(self.root / path, below=self.root)
        except plain.NotPlain:
            raise
        except (OSError, ValueError):  # a name from a damaged file may be no name at all
            return None

    def exists(self, path: str) -> bool:
        try:
            return (self.root / path).is_file()
        except (OSError, ValueError):
            return False

    def build(self, path: str, stage: str) -> str:
        """The fix for a file that is missing. What is in the place of its folder has to go first."""
        for folder in [*reversed((self.root / path).parents)]:
            if folder.is_relative_to(self.root) and folder.exists() and not folder.is_dir():
                return f"remove {quote(str(folder))}, which is no folder, and run `hardway build {stage}`"
        return f"run `hardway build {stage}`"

    def mode(self, path: str) -> int:
        return stat.S_IMODE((self.root / path).stat().st_mode)

    def files(self, pattern: str) -> list[str]:
        return sorted(str(p.relative_to(self.root)) for p in self.root.glob(pattern) if p.is_file())

    def certs(self, path: str) -> list[Certificate]:
        """All certificates of a file; none if it is missing or unreadable, which is another check's business."""
        return self.cached(_certificates, path)

    def cert(self, path: str) -> Certificate | None:
        return next(iter(self.certs(path)), None)

    def yaml(self, path: str) -> Any:
        """A YAML or JSON document; None if it is missing or unreadable."""
        return self.cached(_document, path)

    def cached(self, make: Callable[[Artifacts, str], T], path: str) -> T:
        """What many checks ask for: made of a file, or of those of a folder, for the first, kept for the others."""
        if (make, path) not in self._made:
            self._made[make, path] = make(self, path)
        found: T = self._made[make, path]
        return found

    def text(self, path: str) -> str:
        return (self.read(path) or b"").decode(errors="replace").strip()

    @cached_property
    def paths(self) -> dict[str, str]:
        """Where the tables put each thing, by its address."""
        from hardway.workspace.catalogue import paths

        return paths(self.cluster)

    @cached_property
    def documents(self) -> dict[str, dict[str, Any]]:
        """Every cluster manifest that is an object, by its path; what is none is another check's business."""
        paths = [p for folder in ("manifests", "openshift") for p in self.files(f"{folder}/*")]
        return {p: doc for p in paths if is_object(doc := self.yaml(p))}

    def objects(self, kind: str, name: str = "", group: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
        """The manifests of a kind (and name, and API group), with their paths."""
        for path, doc in self.documents.items():
            fits_group = not group or doc["apiVersion"].startswith(f"{group}/")
            if doc["kind"] == kind and fits_group and name in ("", doc["metadata"]["name"]):
                yield path, doc


def _certificates(artifacts: Artifacts, path: str) -> list[Certificate]:
    return shapes.certificates(artifacts.read(path) or b"")


def _document(artifacts: Artifacts, path: str) -> Any:
    return shapes.parse_yaml(artifacts.read(path) or b"")


def is_object(document: Any) -> bool:
    """Whether the API server could tell what it is."""
    named = (shapes.text(document, *where) for where in (("apiVersion",), ("kind",), ("metadata", "name")))
    return all(named) and isinstance(shapes.at(document, "metadata", "namespace"), str | None)
