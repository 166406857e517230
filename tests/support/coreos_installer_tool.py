"""The real coreos-installer: compiled once from its crate, outside the tree.

It needs a Rust of 1.87 or later (Debian: cargo-web), a C compiler, pkg-config and the headers of OpenSSL, zstd and xz.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

VERSION = "0.27.0"
SETTINGS = {"CARGO_PROFILE_DEV_DEBUG": "0"}
"""Without optimizing it compiles in a third of the time, and what the tests give it is small."""


@cache
def program() -> Path:
    """The program itself; its folder can be put on PATH."""
    target = Path.home() / ".cache" / "hardway" / "tools" / f"coreos-installer-{VERSION}"
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=target.parent) as folder:
            _compile(Path(folder))
            _move(Path(folder) / "root" / "bin", target)
    return target / "coreos-installer"


def _compile(folder: Path) -> None:
    assert shutil.which("cargo"), "Rust is not installed: it compiles the coreos-installer that these tests use"
    command = ["cargo", "install", "coreos-installer", "--version", VERSION, "--locked", "--debug"]
    environment = {**os.environ, **SETTINGS, "CARGO_TARGET_DIR": str(folder / "target")}
    done = subprocess.run(
        [*command, "--root", folder / "root"], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"coreos-installer does not compile:\n{done.stderr[-3000:]}"


def _move(part: Path, target: Path) -> None:
    """Into place, unless another test process was faster."""
    try:
        part.rename(target)
    except OSError:
        assert target.exists()


def run(*words: str | Path) -> str:
    done = subprocess.run([program(), *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(map(str, words))}:\n{done.stderr}"
    return done.stdout


if __name__ == "__main__":
    print(program())
