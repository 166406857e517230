"""The steps that turn one component's pins into a folder: `bin/` with its programs, `data/` with its module's files."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from hardway.io import atomic
from hardway.labrelease import places
from hardway.labrelease.compile import toolchain
from hardway.labrelease.compile.causes import failure
from hardway.labrelease.components.row import Component, Native, Need, Suite
from hardway.model.errors import ToolError
from hardway.tools import run

# Paths, version control and build ids stay out, so that two builds give the same bytes.
REPRODUCIBLE = ("-trimpath", "-buildvcs=false")
STRIPPED = ("-s", "-w", "-buildid=")
C_FLAGS = ("-std=c99", "-Os", "-static", "-s", "-Wl,--build-id=none")

Say = Callable[[int, int, str], None]


@dataclass(slots=True, kw_only=True)
class Meter:
    """Counts packages as the Go command names them, and tells how far it is and for how long."""

    tell: Say
    total: int = 0
    done: int = 0
    begun: float = field(default_factory=time.monotonic)

    def say(self, what: str) -> None:
        self.tell(min(self.done, self.total), self.total, f"{time.monotonic() - self.begun:.0f} s: {what}")

    def line(self, text: str) -> None:
        """A line of `go build -v`: a package that is being compiled, or something it has to say."""
        self.done += not is_talk(text)
        self.say(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Workshop:
    """One component's compilation: with which Go, in which environment, into which folder."""

    component: Component
    go: toolchain.Go
    environment: Mapping[str, str]
    target: Path
    meter: Meter

    def make(self) -> None:
        check_machine(self.component)
        if self.component.programs:
            self.meter.total = self.count()
            self.build()
        for suite in self.component.suites:
            self.build_suite(suite)
        if self.component.native or self.component.data:
            source = self.source()
            for native in self.component.native:
                self.build_native(native, source)
            for pattern in self.component.data:
                copy_data(source, pattern, self.target / "data")
        self.meter.done = self.meter.total
        self.meter.say("done")

    def command(self, *words: str) -> tuple[str, ...]:
        return (self.go.program, words[0], "-C", str(places.COMPONENTS / self.component.name), *words[1:])

    def follow(self, command: tuple[str, ...], line: Callable[[str], None]) -> run.Done:
        done = run.follow(command, line=line, environment=self.environment)
        if not done.ok:
            given = {**toolchain.settings(cgo=self.component.cgo), "GOCACHE": self.environment["GOCACHE"]}
            raise failure(f"{self.component.name} {self.component.version} does not compile", done, given)
        return done

    def count(self) -> int:
        """How many packages the programs consist of; fetches every module on the way."""
        command = self.command("list", *flags_for_packages(self.component), "-deps", "tool")
        done = self.follow(command, lambda text: self.meter.say(text) if is_talk(text) else None)
        return sum(1 for text in done.output.splitlines() if not is_talk(text))

    def build(self) -> None:
        folder = self.target / "bin"
        folder.mkdir()
        command = self.command("build", "-v", *flags(self.component), "-o", f"{folder}/", "tool")
        self.follow(command, self.meter.line)
        for program in self.component.programs:
            made = folder / built_name(program.package)
            made.chmod(0o755)
            atomic.put(made, folder / program.file)

    def build_suite(self, suite: Suite) -> None:
        """Its parts first: `go test -c` does not tell which package it compiles."""
        common = flags(self.component)
        self.follow(self.command("build", "-v", *common, suite.package, *suite.parts), self.meter.line)
        self.meter.say(suite.file)
        program = self.target / "bin" / suite.file
        command = self.command("test", "-c", "-vet=off", *common, "-o", str(program), suite.package)
        self.follow(command, self.meter.say)
        program.chmod(0o755)

    def source(self) -> Path:
        """The module's own folder in the module cache, fetched and checked if need be."""
        command = (self.go.program, "mod", "download", "-C", str(places.COMPONENTS / self.component.name), "-json")
        done = self.follow((*command, self.component.module), lambda _: None)
        return Path(json.loads(done.output[done.output.index("{") :])["Dir"])

    def build_native(self, native: Native, source: Path) -> None:
        self.meter.say(f"{native.file} (C)")
        files = sorted(str(path) for path in (source / native.folder).glob("*.c"))
        program = self.target / "bin" / native.file
        command = (*compiler().split(), *C_FLAGS, "-o", str(program), *files)
        done = run.attempt(command, environment=self.environment, seconds=600)
        if not done.ok:
            raise failure(f"{native.file} of {self.component.name} does not compile", done, {})
        program.chmod(0o755)


def is_talk(text: str) -> bool:
    """Whether a line of the Go command's is something it says, and not the name of a package."""
    return " " in text


def flags_for_packages(component: Component) -> tuple[str, ...]:
    return ("-tags", ",".join(component.tags)) if component.tags else ()


def flags(component: Component) -> tuple[str, ...]:
    """The flags that decide what comes out."""
    stamped = (word for name, value in component.stamps for word in ("-X", f"{name}={value}"))
    return (*REPRODUCIBLE, *flags_for_packages(component), "-ldflags", " ".join((*STRIPPED, *stamped)))


def built_name(package: str) -> str:
    """What the Go command calls the program of a package: its last element that is no major version."""
    last, before = package.split("/")[-1], package.split("/")[-2]
    return before if last[:1] == "v" and last[1:].isdigit() else last


def compiler() -> str:
    return os.environ.get("CC") or "gcc"


def check_machine(component: Component) -> None:
    """Before minutes are spent: everything in C that the component needs."""
    if not component.cgo and not component.native:
        return
    if not run.have(compiler().split()[0]):
        missing = ["gcc", "libc6-dev", *(need.package for need in component.needs)]
    else:
        missing = [need.package for need in component.needs if not _there(need)]
    if missing:
        raise ToolError(
            f"{component.name} {component.version} has parts in C, and this machine lacks the packages to compile "
            "them.\n"
            f"    fix: apt-get install {' '.join(missing)}"
        )


def _there(need: Need) -> bool:
    if need.program:
        return run.have(need.program) is not None
    words = (*compiler().split(), "-E", "-x", "c", "-o", os.devnull, "-")
    return run.attempt(words, stdin=f"#include <{need.header}>\n").ok


def copy_data(source: Path, pattern: str, target: Path) -> None:
    """The folders of a module that match, at the same place below the target, without Go files."""
    found = sorted(path for path in source.glob(pattern) if path.is_dir())
    if not found:
        raise ToolError(
            f"{source}: the module has no folder {pattern}.\n"
            "    fix: the row of labrelease/components/table.py names another"
        )
    for folder in found:
        _demand_inside(folder, source)
        for path in sorted(p for p in folder.rglob("*") if p.is_file() and p.suffix != ".go"):
            _demand_inside(path, source, folder)
            place = target / path.relative_to(source)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, place)
            place.chmod(0o644)


def _demand_inside(path: Path, source: Path, folder: Path | None = None) -> None:
    """A link to another folder of the module is usual: to a CRD below vendor/. One that leads out of the module, or
    into a hidden folder of it such as .git, brings files into an image that nobody meant, with their credentials."""
    true, top = path.resolve(), source.resolve()
    own = folder is not None and true.is_relative_to(folder.resolve())
    hidden = any(part.startswith(".") for part in true.parts[len(top.parts) :])
    if not true.is_relative_to(top) or (hidden and not own):
        raise ToolError(
            f"{path}: is a link that leads out of {source}, or to a hidden file of it, and was not copied.\n"
            "    fix: put the file itself in its place"
        )
