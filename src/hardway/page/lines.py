"""A file with the reason of each line beside it. Comments are left out: they say the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from hardway.emit.document import Document
from hardway.explain.fields import Fields, has_field
from hardway.graph.asset import Asset
from hardway.model.why import Why
from hardway.model.yaml import YamlError
from hardway.page import sentences
from hardway.page.html import Html, join, rows, tag
from hardway.page.site import Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    number: int
    text: str
    address: str = ""  # of the reason
    why: Why | None = None
    decides: tuple[str, ...] | None = None  # what a line of the user's decides; None: somebody else wrote it


def annotated(site: Site, path: str, asset: Asset, content: bytes) -> Html:
    document = site.documents.get(asset.address)
    shown = sentences.shown(content, site.secrets).splitlines()
    if document is None:
        return tag("pre", tag("code", "\n".join(shown)), tabindex="0")
    try:
        fields = Fields(content.decode("utf-8", "replace"))
    except YamlError:
        return tag("pre", tag("code", "\n".join(shown)), tabindex="0")
    lines = [_line(document, fields, number, text) for number, text in enumerate(shown, 1) if has_field(text)]
    return parts(site, path, lines)


def _line(document: Document, fields: Fields, number: int, text: str) -> Line:
    found = document.covering(*fields.at(number))
    address, why = found if found else (document.address, document.why)
    return Line(number=number, text=text, address=address, why=why)


def parts(site: Site, path: str, lines: list[Line]) -> Html:
    """Lines with the same reason stand together."""
    groups = (list(group) for _, group in groupby(lines, key=lambda line: line.address))
    return tag("div", *(_part(site, path, group) for group in groups), class_="annotated")


def _part(site: Site, path: str, lines: list[Line]) -> Html:
    numbered = join((tag("span", line.text, id=f"L{line.number}", data_line=str(line.number)) for line in lines), "\n")
    return tag(
        "div", tag("pre", tag("code", numbered), tabindex="0"), tag("div", *_reason(site, path, lines)), class_="part"
    )


def _reason(site: Site, path: str, lines: list[Line]) -> Iterator[Html]:
    why, address = lines[0].why, lines[0].address
    if why is not None:
        yield tag("p", site.prose(path, why.what))
        readers = site.prose(path, why.readers), site.prose(path, why.breaks)
        pairs = (("read by", readers[0]), ("without it", readers[1]), ("source", site.prose(path, why.source)))
        yield tag("details", tag("summary", address), rows(pairs))
    if decided := _decides(site, path, lines) if lines[0].decides is not None else _decided(site, path, lines):
        yield decided


def _decides(site: Site, path: str, lines: list[Line]) -> Html | None:
    """What would change with another value."""
    found = tuple(dict.fromkeys(address for line in lines for address in line.decides or ()))
    return tag("div", "It decides ", site.addresses(path, found), class_="decided") if found else None


def _decided(site: Site, path: str, lines: list[Line]) -> Html | None:
    """Which lines of the user's files a value comes from: by the values in it, else by what is known to change it."""
    found = {row.what: row for line in lines for row in site.origins.of(line.text)}
    several = [join((f"{row.what} in ", site.decider(path, row.fields))) for row in found.values()]
    if several:
        return tag("p", "You decide ", join(several, "; "), ".", class_="decided")
    written = [trial for trial in site.deciding.get(lines[0].address, ()) if trial.line] if _is_field(lines[0]) else []
    return tag("p", "You decide it in ", site.places(path, written), ".", class_="decided") if written else None


def _is_field(line: Line) -> bool:
    """The whole document is decided by more than a line of it is."""
    return line.address.startswith("field/")
