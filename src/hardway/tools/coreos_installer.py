"""coreos-installer: puts a machine's settings into a live ISO or a live initramfs."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from hardway.model.errors import ToolError
from hardway.tools.run import attempt, explain, have, run

PROGRAM = "coreos-installer"
SECONDS = 1800
"""An image is copied, and some disks are slow."""

Kind = Literal["iso", "pxe"]


class TooLarge(ToolError):
    """An ISO has room for a quarter of a MiB, compressed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the machine is to do with the image. Only paths are named here: a command line can be read by everybody."""

    ignition: Path
    device: str
    consoles: Sequence[str]
    keyfiles: Sequence[Path]
    live_arguments: Sequence[str] = ()  # of an ISO; those of a PXE boot are in its own configuration

    def words(self) -> list[str]:
        return [
            *("--dest-ignition", str(self.ignition)),
            *("--dest-device", self.device),
            *(word for console in self.consoles for word in ("--dest-console", console)),
            *(word for path in self.keyfiles for word in ("--network-keyfile", str(path))),
            *(word for text in self.live_arguments for word in ("--live-karg-append", text)),
        ]


def version() -> str:
    if not have(PROGRAM):
        raise ToolError(
            f"{PROGRAM}: not found.\n"
            "    fix: install it: `dnf install coreos-installer` on Fedora and RHEL, `cargo install "
            "coreos-installer` elsewhere"
        )
    return run([PROGRAM, "--version"]).split()[-1]


def customize(kind: Kind, source: Path, target: Path, settings: Settings) -> None:
    """Make `target`, which must not exist, from an image as it was published."""
    words = (PROGRAM, kind, "customize", *settings.words(), "--output", str(target), str(source))
    done = attempt(words, environment=_plain(), seconds=SECONDS)
    if done.ok:
        target.chmod(0o600)
        return
    if room := re.search(r"too large: (\d+) > (\d+)", done.errors):
        raise TooLarge(
            f"{settings.ignition}: does not fit into the ISO, which has room for {room[2]} bytes; it has {room[1]}.\n"
            "    fix: let the machine fetch it: --method server"
        )
    raise ToolError(explain(done))


def extract_pxe(iso: Path, folder: Path) -> None:
    """Kernel, initramfs and rootfs of an ISO, into an empty folder."""
    version()
    words = [PROGRAM, "iso", "extract", "pxe", "--output-dir", str(folder), str(iso)]
    run(words, environment=_plain(), seconds=SECONDS)


def _plain() -> dict[str, str]:
    """Its errors end with what went wrong, and not with where in its source."""
    return {**os.environ, "RUST_BACKTRACE": "0"}
