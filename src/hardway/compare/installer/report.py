"""The comparison as a whole, and what can be said of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap
from typing import Any

from hardway.compare.installer.differences import differences
from hardway.compare.installer.reading import read_ours, read_reference
from hardway.compare.pull_secret import ABBREVIATED
from hardway.compare.row import Difference
from hardway.compare.snapshot import Snapshot
from hardway.compare.values import fields
from hardway.emit import goyaml
from hardway.model.errors import ConfigError

WIDTH = 100
EXAMPLES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareReport:
    """Ok if every difference has a row that explains it."""

    reference: str
    compared: dict[str, int]  # how many of each the reference has
    differences: tuple[Difference, ...]

    @property
    def unexplained(self) -> tuple[Difference, ...]:
        return tuple(d for d in self.differences if d.row is None)

    @property
    def ok(self) -> bool:
        return not self.unexplained

    def as_dict(self) -> dict[str, Any]:
        return {
            "reference": self.reference,
            "ok": self.ok,
            "compared": self.compared,
            "unexplained": [d.as_dict() for d in self.unexplained],
            "expected": [d.as_dict() for d in self.differences if d.row],
        }

    def as_text(self) -> str:
        return "\n".join([*self._head(), *self._open(), *self._explained()]) + "\n"

    def _head(self) -> Iterator[str]:
        counts = ", ".join(f"{count} {name}" for name, count in self.compared.items())
        yield f"Compared with {self.reference}: {counts}."
        explained = len(self.differences) - len(self.unexplained)
        yield f"{len(self.differences)} differences, {explained} of them expected, {len(self.unexplained)} unexplained."

    def _open(self) -> Iterator[str]:
        for difference in self.unexplained:
            yield f"\nUNEXPLAINED {difference.path} {difference.aspect}"
            yield f"    the installer: {difference.theirs}"
            yield f"    here:          {difference.ours}"

    def _explained(self) -> Iterator[str]:
        rows: dict[str, list[Difference]] = {}
        for difference in self.differences:
            if difference.row:
                rows.setdefault(difference.row.name, []).append(difference)
        for name, several in rows.items():
            assert several[0].row is not None
            yield f"\n{name} ({len(several)})"
            yield from wrap(several[0].row.why, WIDTH, initial_indent="    ", subsequent_indent="    ")
            yield from (f"    - {d.path} {d.aspect}" for d in several[:EXAMPLES])
            if len(several) > EXAMPLES:
                yield f"    - and {len(several) - EXAMPLES} more"


def compare(reference_path: Path, build: Callable[[str], bytes]) -> CompareReport:
    """Build ours from the reference's own install-config, and hold the two side by side."""
    reference = read_reference(reference_path)
    _refuse_shortened(reference_path, reference)
    ours = read_ours(_built(reference_path, reference, build))
    return CompareReport(
        reference=str(reference_path),
        compared=_counts(reference),
        differences=tuple(differences(reference, ours)),
    )


def _built(path: Path, reference: Snapshot, build: Callable[[str], bytes]) -> bytes:
    """What is wrong is said of the install-config in the file: nobody has written one beside it."""
    try:
        return build(goyaml.dump(reference.install_config))
    except ConfigError as error:
        raise ConfigError(f"{path}: of the install-config in it nothing can be made.\n{error}") from None


def _refuse_shortened(path: Path, reference: Snapshot) -> None:
    found = [field for field, value in fields(reference.install_config) if ABBREVIATED.match(str(value))]
    if found:
        raise ConfigError(
            f"{path}: of {', '.join(found)} in its install-config only the length is known.\n"
            "    fix: compare with the bootstrap.ign itself"
        )


def _counts(reference: Snapshot) -> dict[str, int]:
    return {
        "files": len(reference.files),
        "units": len(reference.units),
        "certificates": sum(len(several) for several in reference.certificates.values()),
        "documents": len(reference.documents),
        "kubeconfigs": len(reference.kubeconfigs),
    }
