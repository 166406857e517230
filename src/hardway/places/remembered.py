"""Where the cluster of a folder runs, as the command that brought it there has noted.

It is no setting: what a user decides is in hardway.yaml. The note is below assets, so it goes with the cluster's files.
A lab has its own mark on this machine (`lab/owner.py`).
"""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Literal, get_args

from hardway.io import atomic, links
from hardway.model import json as bounded
from hardway.model.settings.infra import is_connection, runs_no_program
from hardway.workspace.names import ASSETS

FOLDER = "machines"  # below assets: what is kept of a cluster that does not run in the lab
FILE = "place.json"
LARGEST = 1 << 16  # bytes
Kind = Literal["libvirt", "own"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    kind: Kind
    socket: str = ""  # the admin socket of the load balancer's HAProxy
    connect: str = ""  # the libvirt that has the machines, where the command line named it


def kept(folder: Path) -> Path:
    return folder / ASSETS / FOLDER


def read(folder: Path) -> Place | None:
    """Nothing, if no command has noted it, or if the note is damaged."""
    try:
        found = bounded.load(links.read(kept(folder) / FILE, below=folder / ASSETS, largest=LARGEST))
        place = Place(**found)
    except (FileNotFoundError, ValueError, TypeError):
        return None
    texts = all(isinstance(value, str) for value in asdict(place).values())
    return _without_programs(place) if texts and place.kind in get_args(Kind) else None


def _without_programs(place: Place) -> Place:
    """A folder may come from somebody else: an address that makes libvirt start a program has to be typed each time."""
    harmless = is_connection(place.connect) and runs_no_program(place.connect)
    return place if harmless else replace(place, connect="")


def connect_of(folder: Path, given: str | None) -> str | None:
    """The libvirt of the command line, or else the one that an earlier command line named."""
    known = read(folder)
    return given if given is not None else (known.connect or None) if known else None


def forget(folder: Path) -> None:
    """All that was kept: where the cluster runs, and the record of its way."""
    links.refuse(kept(folder))
    shutil.rmtree(kept(folder), ignore_errors=True)


def remember(folder: Path, place: Place) -> None:
    links.refuse(kept(folder))
    kept(folder).mkdir(mode=0o700, exist_ok=True)
    noted = _without_programs(place)
    if read(folder) != noted:
        atomic.write(kept(folder) / FILE, f"{json.dumps(asdict(noted))}\n".encode(), atomic.PUBLIC)
