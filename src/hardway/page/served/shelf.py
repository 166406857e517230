"""Pages that are made when they are asked for, and again when the folder has changed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING

from hardway.compare.report import Report
from hardway.drive.record import FILE as MILESTONES
from hardway.explain.place import INPUTS
from hardway.graph.store import RECORD
from hardway.lab.owner import has_lab
from hardway.model.errors import HardwayError
from hardway.page import laboratory, overview
from hardway.page.frame import Page
from hardway.page.html import code, join, tag
from hardway.page.site import Site, open_site
from hardway.page.table import maker_of
from hardway.places.remembered import FILE, FOLDER
from hardway.workspace.names import ASSETS, VERIFIED

if TYPE_CHECKING:
    from hardway.lab.status import Status

Stamp = tuple[tuple[int, int], ...]


class Shelf:
    """One request at a time makes pages; what is made stays."""

    def __init__(self, folder: Path, installer: Report | None = None) -> None:
        self.folder, self._installer = folder, installer
        self._lock = RLock()
        self._read()
        self.page(overview.PATH)  # what most others need is read for it: the first one to ask does not wait
        _ = self.site.deciding

    def _read(self) -> None:
        """The folder as it is now. ConfigError, if it cannot be read."""
        stamp = self._now()
        self.site = open_site(self.folder, self._installer)
        self._stamp = stamp
        self._made: dict[str, Page] = {}
        self._makers: dict[object, Iterator[Page]] = {}

    def page(self, path: str) -> Page | None:
        with self._lock:
            try:
                if self._changed():
                    self._read()
            except HardwayError as error:
                return _unreadable(path, str(error))
            site = self.site
            if path != laboratory.PATH:
                return self._made.get(path) or self._make(path)
        return laboratory.page(site, _asked(site))  # which takes a while, and is another one each time

    def _changed(self) -> bool:
        name = self.site.workspace.loaded.cluster.name
        return self._now() != self._stamp or has_lab(name, self.folder) != self.site.lab

    def _make(self, path: str) -> Page | None:
        maker = maker_of(path)
        if maker is None:
            return None
        for page in self._makers.setdefault(maker, maker(self.site)):
            self._made[page.path] = page
            if page.path == path:
                return page
        return None

    def _now(self) -> Stamp:
        below = (RECORD, VERIFIED, f"{FOLDER}/{FILE}", f"{FOLDER}/{MILESTONES}")
        names = (*INPUTS, *(f"{ASSETS}/{name}" for name in below))
        return tuple(_stamp(self.folder / name) for name in names)


def _stamp(path: Path) -> tuple[int, int]:
    with suppress(OSError):
        found = os.stat(path)
        return found.st_mtime_ns, found.st_size
    return 0, 0


def _asked(site: Site) -> Status | None:
    """How the lab stands; None, if there is none, or if this user may not ask."""
    from hardway.lab.status import status

    return status(site.workspace.folder) if site.lab and os.geteuid() == 0 else None


def _unreadable(path: str, message: str) -> Page:
    said = tag("pre", code(message), tabindex="0")
    return Page(path=path, title="The folder cannot be read", body=join((tag("p", "It was changed meanwhile:"), said)))
