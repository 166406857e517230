"""All pages, by who makes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from hardway.page import (
    artifacts,
    certificates,
    chapters,
    comparisons,
    findings,
    laboratory,
    overview,
    reference,
    stages,
    yours,
)
from hardway.page.frame import Page
from hardway.page.site import Site

Maker = Callable[[Site], Iterator[Page]]

MAKERS: dict[str, Maker] = {
    overview.PATH: overview.pages,
    "guide/": chapters.pages,
    stages.PATH: stages.pages,
    "artifacts.html": artifacts.pages,
    "artifact/": artifacts.pages,
    certificates.PATH: certificates.pages,
    findings.PATH: findings.pages,
    comparisons.PATH: comparisons.pages,
    laboratory.PATH: laboratory.pages,
    "explain/": reference.pages,
    "yours/": yours.pages,
}
"""By path: that of a page, or of a folder."""


def pages(site: Site) -> Iterator[Page]:
    for make in dict.fromkeys(MAKERS.values()):
        yield from make(site)


def maker_of(path: str) -> Maker | None:
    """Who makes the page of this path, if there is one."""
    folder, slash, _ = path.partition("/")
    return MAKERS.get(f"{folder}/" if slash else path)
