"""What all pages have in common: their place, the way to the others, style and script."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from posixpath import dirname, relpath

from hardway.page.html import Html, prose, tag

MARK = "hardway guide"
"""What the head of each page says of its maker: only a folder of such pages is written over."""
STYLE, SCRIPT, ICON = "style.css", "script.js", "icon.svg"
POLICY = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'"
"""Of pages that are files. Nothing is loaded from elsewhere, and no text of a page can run."""

MENU = {
    "index.html": "Overview",
    "guide/index.html": "Guide",
    "stages.html": "Stages",
    "artifacts.html": "Artifacts",
    "certificates.html": "Certificates",
    "findings.html": "Findings",
    "comparisons.html": "Comparisons",
    "lab.html": "Running cluster",
    "explain/failure.html": "Failures",
    "explain/index.html": "Reference",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    path: str  # below the folder of all pages
    title: str
    body: Html

    def to(self, target: str) -> str:
        """A link from here."""
        return link(self.path, target)


def link(path: str, target: str) -> str:
    place, _, anchor = target.partition("#")
    return _way(dirname(path), place) + (f"#{anchor}" if anchor else "")


@cache
def _way(folder: str, place: str) -> str:
    return relpath(place, folder or ".")


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """`served` are attributes of the body for the script: what only a server can do."""

    cluster: str
    policy: str = POLICY
    served: Mapping[str, str] = field(default_factory=dict)

    def whole(self, page: Page) -> str:
        head = (
            tag("meta", charset="utf-8"),
            tag("meta", name="generator", content=MARK),
            tag("meta", http_equiv="Content-Security-Policy", content=self.policy) if self.policy else None,
            tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
            tag("meta", name="referrer", content="no-referrer"),
            tag("title", f"{page.title} · {self.cluster}".replace("`", "")),
            tag("link", rel="icon", href=page.to(ICON)),  # without one, a browser asks for /favicon.ico
            tag("link", rel="stylesheet", href=page.to(STYLE)),
            Html(f'<script src="{page.to(SCRIPT)}" defer></script>'),
        )
        parts = (tag("a", "Skip to the content", href="#content", class_="skip"), self._menu(page), self._main(page))
        document = tag("html", tag("head", *head), tag("body", *parts, **self.served), lang="en")
        return f"<!doctype html>\n{document}\n"

    def _menu(self, page: Page) -> Html:
        entries = (self._entry(page, path, title) for path, title in MENU.items())
        return tag("header", tag("strong", self.cluster), tag("nav", tag("ul", *entries), aria_label="Main"))

    def _entry(self, page: Page, path: str, title: str) -> Html:
        here = "page" if page.path == path else "true" if _belongs(page.path, path) else ""
        return tag("li", tag("a", title, href=page.to(path), aria_current=here))

    def _main(self, page: Page) -> Html:
        return tag("main", tag("h1", prose(page.title)), page.body, id="content", tabindex="-1")


def _belongs(path: str, menu: str) -> bool:
    """Whether a page that is not in the menu is one of those that the entry lists."""
    below = {
        "artifact": "artifacts.html",
        "explain": "explain/index.html",
        "guide": "guide/index.html",
        "yours": "index.html",
    }
    return path not in MENU and below.get(path.partition("/")[0]) == menu


def assets() -> dict[str, bytes]:
    """The files that every page loads."""
    from hardway.explain.pictures.canvas import STYLE as PICTURE

    style = files("hardway.page").joinpath(STYLE).read_text()
    rules = PICTURE.partition("<style>")[2].partition("</style>")[0]
    script, icon = (files("hardway.page").joinpath(name).read_bytes() for name in (SCRIPT, ICON))
    return {STYLE: f"{style}svg.picture {{{rules}}}\n".encode(), SCRIPT: script, ICON: icon}
