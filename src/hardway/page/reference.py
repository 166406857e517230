"""Everything that has an address and is no file: flags, fields, checks, failures, terms, a page for each kind."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from hardway.explain.atlas import CHARTS, kind_of
from hardway.explain.entry import Explanation
from hardway.explain.text import labels
from hardway.page.frame import Page
from hardway.page.html import Html, code, join, rows, table, tag
from hardway.page.site import Site, anchor

INDEX = "explain/index.html"


def pages(site: Site) -> Iterator[Page]:
    kinds: dict[str, list[Explanation]] = defaultdict(list)
    for address, found in site.explanations.items():
        if address not in site.workspace.graph:
            kinds[kind_of(address)].append(found)
    yield Page(path=INDEX, title="Reference", body=_index(kinds))
    for kind, several in kinds.items():
        path = f"explain/{kind}.html"
        yield Page(path=path, title=CHARTS[kind].what.capitalize(), body=_kind(site, path, several))


def _index(kinds: dict[str, list[Explanation]]) -> Html:
    lines = (
        (tag("a", code(f"{kind}/"), href=f"{kind}.html"), str(len(several)), CHARTS[kind].what)
        for kind, several in kinds.items()
    )
    lead = tag("p", "Whatever has an address can be explained: ", code("hardway explain ADDRESS"), ".")
    return join((lead, table(("kind", "number", "what"), lines, "Kinds of addresses")))


def _kind(site: Site, path: str, several: list[Explanation]) -> Html:
    return tag("div", *(_entry(site, path, found) for found in several), class_="entries searched")


def _entry(site: Site, path: str, found: Explanation) -> Html:
    readers, breaks = labels(found.address)
    pairs = (
        (readers, site.prose(path, found.why.readers)),
        (breaks, site.prose(path, found.why.breaks)),
        *((label, site.prose(path, said)) for label, said in found.facts),
        ("source", site.prose(path, found.why.source)),
    )
    name = anchor(found.address.partition("/")[2])
    return tag(
        "article", tag("h2", code(found.address)), tag("p", site.prose(path, found.why.what)), rows(pairs), id=name
    )
