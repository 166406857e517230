"""What the lab's tests stand on, made before they run: compiled programs, the nodes' root, the packed release."""

from __future__ import annotations

import sys
from collections.abc import Callable

from hardway.lab import release, root
from hardway.lab.compile import compile_all
from hardway.lab.components import of


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
    compile_all(of("core", "node"), progress=lambda name, done, total, what: tell(_compiling(name, done, total)))
    root.base(progress=lambda what, done, total: tell("the nodes' root: Debian packages"))
    release.build("core", progress=lambda what, done, total: tell(what.partition(":")[0]))


def _compiling(name: str, done: int, total: int) -> str:
    return f"compiling {name}: {10 * (10 * done // total) if total else 0} % of its packages"


if __name__ == "__main__":
    main()
