"""A folder that is made beside its place and put there whole, so that nobody sees half of it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from hardway.io import links, trace


@contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """To be filled, for one process at a time; it is under its name when the block ends well, and gone otherwise."""
    part = folder.with_name(f".{folder.name}.part")
    remove(part)  # what a killed process left
    part.mkdir(mode=0o755, parents=True)
    try:
        yield part
        part.chmod(0o755)
        part.rename(folder)
        trace.step("write", folder)
    except BaseException:
        remove(part)
        raise


def replace_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """The folder holds exactly these files afterwards; private, as everything below assets."""
    links.refuse(folder.parent)
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with beside(folder) as scratch:
        made = scratch / "made"
        fill(made, files)
        make_private(made)
        put(made, folder)


@contextmanager
def beside(path: Path) -> Iterator[Path]:
    """A private folder beside `path`, for what will be moved there. The caller holds the lock of the parent folder: the
    name is one of `atomic.PARTS`, so the next build removes what a killed process leaves. The folder is removed at the
    end, even if Ctrl-C comes during the removal."""
    scratch = Path(mkdtemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent))
    try:
        yield scratch
    finally:
        try:
            remove(scratch)
        except KeyboardInterrupt:
            remove(scratch)
            raise


def fill(folder: Path, files: Mapping[str, bytes]) -> None:
    """A new folder with these files, private from the beginning."""
    folder.mkdir(mode=0o700)
    for name, content in files.items():
        (folder / name).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def put(made: Path, folder: Path) -> None:
    """Into place; what was there goes with the scratch folder that `made` is in."""
    if folder.exists():
        os.rename(folder, made.with_name("superseded"))
    os.rename(made, folder)
    trace.step("write", folder)


def make_private(folder: Path) -> None:
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o700 if path.is_dir() else 0o600)


def make_public(folder: Path) -> None:
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)


def remove(path: Path) -> None:
    """A folder with all that is in it, or a file or a link itself; what is not there is no error."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
