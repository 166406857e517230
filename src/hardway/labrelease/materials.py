"""The programs that nodes are made of, out of the components that the lab compiles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hardway.labrelease.compile import toolchain
from hardway.labrelease.compile.all import Progress, compile_all, place
from hardway.labrelease.components.row import Component
from hardway.labrelease.components.table import of

PROGRAMS = {"crio": "cri-o", "pinns": "cri-o", "kubelet": "kubernetes", "kubectl": "kubernetes"}
"""A node's program to the component that has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Materials:
    """What nodes are made of: Ignition, which runs here, and the programs that run on the node."""

    ignition: Path
    programs: Mapping[str, Path]


def materials(*, progress: Progress | None = None) -> Materials:
    """Compiled if they are missing."""
    return _of(compile_all(of("node"), progress=progress))


def kept_materials() -> Materials | None:
    """As an earlier command compiled them; None if one of them is missing."""
    rows = of("node")
    return None if uncompiled(rows) else _of({row.name: place(row, toolchain.find()) for row in rows})


def uncompiled(rows: Sequence[Component]) -> list[str]:
    """The components that nobody has compiled yet, by name."""
    go = toolchain.find()
    return [row.name for row in rows if not place(row, go).exists()]


def _of(folders: Mapping[str, Path]) -> Materials:
    programs = {name: folders[component] / "bin" / name for name, component in PROGRAMS.items()}
    return Materials(ignition=folders["ignition"] / "bin" / "ignition", programs=programs)


def compiled_program(name: str) -> Path | None:
    """A program of the nodes, if it is compiled; nothing is compiled for it."""
    (component,) = [row for row in of("node") if row.name == PROGRAMS[name]]
    program = place(component, toolchain.find()) / "bin" / name
    return program if program.exists() else None
