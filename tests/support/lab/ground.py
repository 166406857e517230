"""What the lab's tests stand on, made before they run: compiled programs, the nodes' root, the packed release."""

from __future__ import annotations

import sys
from collections.abc import Callable

from hardway.lab import root
from hardway.labrelease import release
from hardway.labrelease.compile.all import compile_all
from hardway.labrelease.components.row import Component
from hardway.labrelease.components.table import COMPONENTS
from hardway.labrelease.images import table


def told() -> Callable[[str], None]:
    """Lines on standard error, none twice in a row."""
    last = ""

    def tell(line: str) -> None:
        nonlocal last
        if line != last:
            last = line
            sys.stderr.write(f"{line}\n")

    return tell


def main() -> None:
    tell = told()
    compile_all(rows(), progress=lambda name, done, total, what: tell(_compiling(name, done, total)))
    root.base(progress=lambda what, done, total: tell("the nodes' root: Debian packages"))
    for chosen in table.SETS:
        release.build(chosen, progress=lambda what, done, total: tell(what.partition(":")[0]))


def rows() -> list[Component]:
    """What nodes and images are made of, in one run: the components share what Go has compiled."""
    packed = {name for chosen in table.SETS for name in table.components(chosen)}
    return [row for row in COMPONENTS if row.name in packed or "node" in row.sets]


def _compiling(name: str, done: int, total: int) -> str:
    return f"compiling {name}: {10 * (10 * done // total) if total else 0} % of its packages"


if __name__ == "__main__":
    main()
