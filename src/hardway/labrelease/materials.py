"""The programs that nodes are made of, out of the components that the lab compiles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hardway.labrelease.compile import toolchain
from hardway.labrelease.compile.all import Progress, compile_all, place
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
    folders = compile_all(of("node"), progress=progress)
    programs = {name: folders[component] / "bin" / name for name, component in PROGRAMS.items()}
    return Materials(ignition=folders["ignition"] / "bin" / "ignition", programs=programs)


def compiled_program(name: str) -> Path | None:
    """A program of the nodes, if it is compiled; nothing is compiled for it."""
    (component,) = [row for row in of("node") if row.name == PROGRAMS[name]]
    program = place(component, toolchain.find()) / "bin" / name
    return program if program.exists() else None
