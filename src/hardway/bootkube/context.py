"""What a stage is run with: the bootstrap node, seen from the machine that it is on, and the release."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from hardway.io import atomic, links, rooted
from hardway.model.errors import ToolError
from hardway.registry import podman
from hardway.registry.access import Access
from hardway.render.operators.row import OPT, Facts
from hardway.tools.patience import Patience
from hardway.tools.run import Done
from hardway.workspace.folder import Workspace

PAUSE = 1.0
TOLD = 10.0  # seconds between two lines of progress


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    root: Path  # the node's, as this machine has it
    run: Callable[[Sequence[str]], Done]  # a program on the node
    machine: podman.Machine  # for programs of images, which run here on the node's network
    workspace: Workspace
    facts: Facts
    access: Access
    say: Callable[[str], None]
    sleep: Callable[[float], None] = time.sleep

    @property
    def opt(self) -> Path:
        return self.on_node(OPT)

    def on_node(self, path: str) -> Path:
        """Where it is on this machine. The node writes to its root as well: its links lead nowhere else."""
        try:
            return rooted.real(self.root, path)
        except OSError as error:
            raise _refused(f"{self.root}{path}", error) from None

    def read(self, path: str) -> bytes:
        try:
            return rooted.read(self.root, path)
        except OSError as error:
            raise _refused(f"{self.root}{path}", error) from None

    def below(self, name: str) -> Path:
        """Of /opt/openshift."""
        return self.on_node(f"{OPT}/{name}")

    def wait(self, what: str, reached: Callable[[], str], *, seconds: float) -> None:
        """Until nothing is missing any more; what is missing is told now and then."""
        patience, told = Patience(seconds), time.monotonic() - TOLD
        while missing := reached():
            now = time.monotonic()
            if now - told >= TOLD:
                self.say(f"waiting for {what}: {missing}")
                told = now
            if patience.ended():
                raise ToolError(f"waited {seconds:.0f} s for {what}.\n    missing: {missing}\n    fix: run this again")
            self.sleep(PAUSE)


def _refused(path: str, error: OSError) -> ToolError:
    return ToolError(f"{path}: {error.strerror}.\n    fix: see on the node what has made it so")


def shown(folder: Path, pattern: str = "*") -> list[Path]:
    """Without names that begin with a dot: those are what an interrupted copy leaves."""
    return sorted(path for path in folder.glob(pattern) if not path.name.startswith("."))


def copy(source: Path, target: Path) -> None:
    """A file or a folder, as cp does it, with the mode it has; a file appears under its name when it is whole. What is
    a link is refused: on this machine it would mean another file than on the node."""
    for path in (source, target) if source.is_dir() else (source,):
        links.refuse(path)
    if source.is_dir():
        for path in sorted(shown(source), key=lambda p: (p.name == "manifests", p.name)):  # pods after what they read
            copy(path, target / path.name)
        return
    target.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    with source.open("rb") as content, atomic.new_file(target, source.stat().st_mode & 0o755) as stream:
        shutil.copyfileobj(content, stream)


def write(target: Path, content: bytes, mode: int = 0o600) -> None:
    target.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    atomic.write(target, content, mode)
