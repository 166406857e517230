"""A checkout of a pinned operator: its module as the module cache has it, in a repository with one commit."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from hardway.io.cache import cache_home
from hardway.labrelease import places, release
from hardway.labrelease.checkouts.made import Made
from hardway.labrelease.checkouts.read import read
from hardway.labrelease.compile import toolchain
from hardway.labrelease.compile.steps import Meter, Workshop
from hardway.labrelease.components.table import component
from tests.docs import console
from tests.support.lab import checkout

NAME = "service-ca-operator"
MAIN = f"cmd/{NAME}/main.go"


def copied(folder: Path) -> Path:
    """Writable, and without what a module proxy leaves of a vendor folder."""
    go, row = toolchain.find(), component(NAME)
    toolchain.install(go)
    environment = toolchain.environment(go, cgo=False, build_cache=places.build_cache())
    meter = Meter(tell=lambda done, total, what: None)
    source = Workshop(component=row, go=go, environment=environment, target=folder, meter=meter).source()
    target = folder / NAME
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("vendor"))
    for path in (target, *target.rglob("*")):
        path.chmod(path.stat().st_mode | 0o200)
    checkout.commit(target, "v4.18.0")
    return target


def saying(folder: Path, words: str) -> Made:
    """Compiled with one line more, at the beginning of its program."""
    main = folder / MAIN
    main.write_text(main.read_text().replace("func main() {\n", f'func main() {{\n\tprintln("{words}")\n', 1))
    [made] = release.from_checkouts(read([f"{NAME}={folder}"]), lambda what, done, total: None)
    return made


def read_along(script: list[console.Command], home: Path, programs: Path) -> list[tuple[int, list[str]]]:
    """As a reader whose caches are those of this machine, and whose labs are those of the test."""
    go = toolchain.environment(toolchain.find(), cgo=False, build_cache=places.build_cache())
    environment = {
        "PATH": f"{programs}:{os.environ['PATH']}",
        "HOME": str(home),
        "XDG_CACHE_HOME": str(cache_home().parent),
        "XDG_STATE_HOME": os.environ["XDG_STATE_HOME"],
        "LC_ALL": "C.UTF-8",
        **{name: value for name, value in go.items() if name in ("GOMODCACHE", "GOPROXY", "GONOSUMDB")},
    }
    return console.run_in(["bash"], script, home, environment)
