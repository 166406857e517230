"""The pages of a folder, as files and served as `hardway guide --web` serves them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Thread

from hardway.compare.report import Report
from hardway.page.export import files
from hardway.page.served.server import Server
from hardway.page.served.shelf import Shelf
from hardway.page.site import Site
from tests.support.trees import built


@cache
def exported() -> dict[str, str]:
    """All pages of the default tree, by their paths."""
    return {path: content.decode() for path, content in files(Site(workspace=built())).items()}


@contextmanager
def serving(folder: Path, installer: Report | None = None) -> Iterator[Server]:
    with Server(Shelf(folder, installer)) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
