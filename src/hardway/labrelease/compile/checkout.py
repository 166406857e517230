"""Compiles components from the user's checkouts. Go's build cache stays, so that a second build compiles what changed.

What comes out is kept under the digest of its content: a build that changes nothing changes no name, and nothing is
packed again. It appears when the whole component is there, and only if the checkout stayed as it was meanwhile.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path

from hardway.io.folder import beside, put
from hardway.labrelease import places
from hardway.labrelease.checkouts.git import State, state
from hardway.labrelease.checkouts.made import Made
from hardway.labrelease.checkouts.read import Checkout
from hardway.labrelease.compile import all as compile
from hardway.labrelease.compile import steps, toolchain
from hardway.labrelease.compile.causes import cause_of, failure
from hardway.labrelease.compile.steps import Meter
from hardway.labrelease.components.row import Component
from hardway.model.errors import ToolError
from hardway.tools import run

AGAIN = "correct the code, and run the same command again: only what changed is compiled"
MARK = "-checkout-"  # in the name of a folder with programs: it came from a checkout
_BY_COMMIT, _BY_VERSION, _BY_TREE = (".gitCommit", ".Hash"), (".versionFromGit", ".Raw"), (".gitTreeState",)

Fact = tuple[int, int, int, int]
Facts = Mapping[str, Fact]


def compile_checkouts(checkouts: Sequence[Checkout], *, progress: compile.Progress | None = None) -> tuple[Made, ...]:
    """In their order."""
    if not checkouts:
        return ()
    tell = progress or (lambda name, done, total, what: None)
    go = toolchain.find()
    with compile.only_one(partial(tell, checkouts[0].name, 0, 0)):
        compile.install(go, partial(tell, checkouts[0].name, 0, 0))
        return tuple(_made(checkout, go, partial(tell, checkout.name)) for checkout in checkouts)


def _made(checkout: Checkout, go: toolchain.Go, tell: steps.Say) -> Made:
    before, seen = state(checkout.folder), facts(checkout.folder, checkout.kit.component.data)
    row = stamped(checkout.kit.component, before)
    work = _Work(checkout=checkout, component=row, go=go, meter=Meter(tell=tell))
    steps.check_machine(row)
    for program in row.programs:
        work.build(program.package, program.file)
    with beside(places.programs() / checkout.name) as scratch:
        made = scratch / "made"
        work.collect(made)
        _unchanged(checkout, seen, before)
        target = places.programs() / f"{checkout.name}{MARK}{_digest(made)}"
        if not target.exists():
            put(made, target)
    return Made(kit=checkout.kit, folder=target, state=before)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Work:
    checkout: Checkout
    component: Component
    go: toolchain.Go
    meter: Meter

    @property
    def linked(self) -> Path:
        """Programs stay here between builds: the Go command links none again that would come out the same."""
        return places.checkouts() / "bin" / self.checkout.name

    @property
    def settings(self) -> dict[str, str]:
        workspace = self.checkout.workspace
        return {
            **toolchain.settings(cgo=self.component.cgo),
            "GOFLAGS": "-mod=vendor" if self.checkout.vendored else "-mod=readonly",
            "GOWORK": str(workspace) if workspace else "off",
            "GOCACHE": os.environ.get("GOCACHE") or str(places.checkouts() / "go-build"),
        }

    def build(self, package: str, file: str) -> None:
        self.linked.mkdir(parents=True, exist_ok=True)
        given = self.settings
        cache = Path(given["GOCACHE"])
        environment = toolchain.environment(self.go, cgo=self.component.cgo, build_cache=cache) | given
        words = ("-v", *_flags(self.component), "-o", str(self.linked / file), package)
        command = (self.go.program, "build", "-C", str(self.checkout.folder), *words)
        self.meter.say(file)
        done = run.follow(command, line=self.meter.line, environment=environment)
        if not done.ok:
            error = failure(f"{self.checkout.name} from {self.checkout.folder} does not compile", done, given)
            known = cause_of(done.output) is not None
            raise error if known else ToolError(f"{error}\n    fix: {AGAIN}")

    def collect(self, target: Path) -> None:
        (target / "bin").mkdir(parents=True)
        for program in self.component.programs:
            shutil.copyfile(self.linked / program.file, target / "bin" / program.file)
            (target / "bin" / program.file).chmod(0o755)
        for pattern in self.component.data:
            steps.copy_data(self.checkout.folder, pattern, target / "data")


def _flags(component: Component) -> tuple[str, ...]:
    """As for a pinned component, but with a build id: by it the Go command knows what it need not link again."""
    return tuple(word.replace(" -buildid=", "") for word in steps.flags(component))


def stamped(component: Component, found: State) -> Component:
    """The row with what git says in the place of the pin."""
    commit, tree = found.commit or "unknown", "dirty" if found.dirty else "clean"
    values = {**dict.fromkeys(_BY_COMMIT, commit), **dict.fromkeys(_BY_VERSION, found.version), **{_BY_TREE[0]: tree}}
    stamps = tuple((name, values.get(f".{name.rpartition('.')[2]}", value)) for name, value in component.stamps)
    return replace(component, stamps=stamps)


def facts(folder: Path, data: Sequence[str] = ()) -> Facts:
    """Size, dates and number of every file that can be part of the build. The Go command passes over names that begin
    with a dot or an underscore, and so do editors' own files and folders of results; folders of data are copied with
    them."""
    copied = (path for pattern in data for path in folder.glob(pattern) if path.is_dir())
    whole = (_facts(path, f"{path.relative_to(folder)}/", ()) for path in copied)
    return dict(chain(_facts(folder, "", (".", "_")), *whole))


def _facts(folder: Path, inside: str, passed_over: tuple[str, ...]) -> Iterator[tuple[str, Fact]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            name = f"{inside}{entry.name}"
            if entry.name.startswith(passed_over):
                continue
            if entry.is_dir(follow_symlinks=False):
                yield from _facts(Path(entry.path), f"{name}/", passed_over)
            else:
                found = entry.stat(follow_symlinks=False)
                yield name, (found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)


def _unchanged(checkout: Checkout, seen: Facts, before: State) -> None:
    now = facts(checkout.folder, checkout.kit.component.data)
    changed = sorted(name for name in seen.keys() | now.keys() if seen.get(name) != now.get(name))
    if changed or state(checkout.folder) != before:
        what = changed[0] if changed else "its commit"
        more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
        raise ToolError(
            f"{checkout.folder}: {what}{more} changed during the build, so nothing of {checkout.name} was kept.\n"
            "    fix: run the same command again; only what changed is compiled"
        )


def _digest(folder: Path) -> str:
    total = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        with open(path, "rb") as content:
            inside = hashlib.file_digest(content, "sha256").hexdigest()
        total.update(f"{path.relative_to(folder)} {inside}\n".encode())
    return total.hexdigest()[:16]
