"""What a check is, what it can look at, and how all of them run."""

from __future__ import annotations

import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from hardway.checks.files import shapes
from hardway.model.cluster import Cluster, Road
from hardway.model.report import Finding, Report, Severity
from hardway.model.why import Why

if TYPE_CHECKING:
    from cryptography.x509 import Certificate

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Flaw:
    """A defect as a check sees it; the check's name and failure id are added by the engine."""

    subject: str
    message: str
    fix: str
    severity: Severity = "error"
    origin: str = ""  # the file that the subject was compared with, if that may be the defect


class World:
    """A folder of artifacts, whoever made them, the cluster that they should be, and the time."""

    def __init__(self, *, root: Path, cluster: Cluster, now: datetime) -> None:
        self.root = root
        self.cluster = cluster
        self.now = now
        self._made: dict[tuple[object, str], Any] = {}

    def read(self, path: str) -> bytes | None:
        try:
            return (self.root / path).read_bytes()
        except (OSError, ValueError):  # a name from a damaged file may be no name at all
            return None

    def exists(self, path: str) -> bool:
        try:
            return (self.root / path).is_file()
        except (OSError, ValueError):
            return False

    def mode(self, path: str) -> int:
        return stat.S_IMODE((self.root / path).stat().st_mode)

    def files(self, pattern: str) -> list[str]:
        return sorted(str(p.relative_to(self.root)) for p in self.root.glob(pattern) if p.is_file())

    def certs(self, path: str) -> list[Certificate]:
        """All certificates of a file; none if it is missing or unreadable, which is another check's business."""
        return self.once(_certificates, path)

    def cert(self, path: str) -> Certificate | None:
        return next(iter(self.certs(path)), None)

    def yaml(self, path: str) -> Any:
        """A YAML or JSON document; None if it is missing or unreadable."""
        return self.once(_document, path)

    def once(self, make: Callable[[World, str], T], path: str) -> T:
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
        from hardway.checks.files.expected import paths

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


def _certificates(world: World, path: str) -> list[Certificate]:
    return shapes.certificates(world.read(path) or b"")


def _document(world: World, path: str) -> Any:
    return shapes.parse_yaml(world.read(path) or b"")


def is_object(document: Any) -> bool:
    """Whether the API server could tell what it is."""
    named = (shapes.text(document, *where) for where in (("apiVersion",), ("kind",), ("metadata", "name")))
    return all(named) and isinstance(shapes.at(document, "metadata", "namespace"), str | None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    name: str
    stage: str
    why: Why
    run: Callable[[World], Iterable[Flaw]]
    failure: str = ""  # the failure mode that it finds before boot
    general: bool = False  # it looks at whole files, and is silent on those that another check has found
    road: Road | None = None  # the only road on which it has something to ask; none: on all

    @property
    def address(self) -> str:
        return f"check/{self.name}"


def run(checks: Iterable[Check], world: World) -> Report:
    """Run all of them; a defect never stops the next check. General ones come last: what another check has found in
    a file, with its reason, is not said again as a mere difference, neither there nor where the file is carried."""
    chosen = [check for check in checks if check.road in (None, world.cluster.road)]
    found: dict[str, list[Finding]] = {}
    spoken: set[str] = set()
    for check in sorted(chosen, key=lambda c: c.general):
        flaws = [f for f in check.run(world) if not (check.general and spoken & {f.subject, f.origin})]
        found[check.name] = [_finding(check, flaw) for flaw in flaws]
        spoken |= {flaw.subject for flaw in flaws}
    names = tuple(check.name for check in chosen)
    return Report(ran=names, findings=tuple(finding for name in names for finding in found[name]))


def _finding(check: Check, flaw: Flaw) -> Finding:
    return Finding(
        check=check.name,
        subject=flaw.subject,
        message=_printable(flaw.message),
        fix=flaw.fix,
        failure=check.failure,
        severity=flaw.severity,
    )


def _printable(message: str) -> str:
    """Values from files are quoted in messages; none may end the line or speak to the terminal."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in message)
