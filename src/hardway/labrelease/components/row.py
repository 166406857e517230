"""The shape of a component's row: what to compile out of which module, and how."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from hardway.model.why import Why

Set = Literal["core", "operators", "node", "conformance"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A Go package to be compiled, and what the program is called in `bin/`."""

    package: str
    file: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """A package of tests to be compiled to one program. `parts` are the packages that its test files import: go.mod
    names them as tools, because Go keeps no digests for the tests of a dependency otherwise."""

    package: str
    file: str
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Native:
    """A program in C, compiled from every `*.c` of a folder of the module."""

    folder: str
    file: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """Something of the machine's that compiling in C takes, and the Debian package that has it."""

    package: str
    header: str = ""
    program: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    name: str
    version: str  # as people say it
    module: str  # where `data` and `native` are found
    sets: tuple[Set, ...]
    why: Why
    programs: tuple[Program, ...] = ()
    suites: tuple[Suite, ...] = ()
    native: tuple[Native, ...] = ()
    tags: tuple[str, ...] = ()
    cgo: bool = False
    needs: tuple[Need, ...] = ()  # besides a C compiler
    stamps: tuple[tuple[str, str], ...] = ()  # string variables that the linker sets
    top: str = ""  # the module of a checkout's top folder, where that is another one
    data: tuple[str, ...] = ()  # folders of the module (patterns) that are copied to `data/`


def programs(module: str, *files: str) -> tuple[Program, ...]:
    """Programs that are called what their folder below cmd/ is called."""
    return tuple(Program(package=f"{module}/cmd/{file}", file=file) for file in files)
