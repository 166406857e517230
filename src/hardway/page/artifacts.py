"""Every artifact: why it is there, who reads it, what it was made from, and the reason of each line."""

from __future__ import annotations

from collections.abc import Iterator

from hardway.explain.entry import Explanation
from hardway.explain.text import labels
from hardway.graph.asset import Asset
from hardway.io import links
from hardway.page import certificates, ignition, sentences
from hardway.page.frame import Page
from hardway.page.html import Html, code, items, join, rows, table, tag
from hardway.page.lines import annotated
from hardway.page.site import Site, artifact
from hardway.stages.table import BY_NUMBER

LARGEST = 400_000
"""Bytes of a file that is shown."""


def pages(site: Site) -> Iterator[Page]:
    yield Page(path="artifacts.html", title="Artifacts", body=_list(site))
    for address, asset in site.workspace.graph.items():
        path = artifact(address)
        yield Page(path=path, title=address, body=_body(site, path, asset))


def _list(site: Site) -> Html:
    path = "artifacts.html"
    parts = [tag("p", "Every file that a build makes for this cluster, by stage.")]
    for number in sorted({asset.stage for asset in site.workspace.graph.values()}):
        assets = [asset for asset in site.workspace.graph.values() if asset.stage == number]
        lines = ((site.address(path, a.address), code(a.path), site.prose(path, a.why.what)) for a in assets)
        parts.append(tag("h2", BY_NUMBER[number].label))
        parts.append(table(("address", "file", "what for"), lines, f"Files of stage {number}", "searched"))
    return join(parts)


def _body(site: Site, path: str, asset: Asset) -> Html:
    explanation = site.explanations[asset.address]
    return join((about(site, path, explanation, asset), _special(site, path, asset), _content(site, path, asset)))


def about(site: Site, path: str, found: Explanation, asset: Asset | None = None) -> Html:
    """What `hardway explain` says of it."""
    readers, breaks = labels(found.address)
    pairs = (
        (readers, site.prose(path, found.why.readers)),
        (breaks, site.prose(path, found.why.breaks)),
        *((label, site.prose(path, said)) for label, said in found.facts),
        ("family", found.family),
        ("file", code(f"assets/{found.path}") if found.path else None),
        ("stage", BY_NUMBER[asset.stage].label if asset else None),
        ("made from", site.addresses(path, found.needs)),
        ("goes into", site.addresses(path, found.used_by)),
        ("you decide it in", _decided(site, path, found.address) if asset else None),
        ("source", site.prose(path, found.why.source)),
    )
    return join((tag("p", site.prose(path, found.why.what), class_="lead"), rows(pairs)))


def _decided(site: Site, path: str, address: str) -> Html | None:
    """The lines of the user's files that decide it; values that are not written come after those that are."""
    found = site.deciding.get(address, [])
    written = [one for one in found if one.line]
    lines = (join((site.places(path, (one,)), " ", code(_shown(site, f"{one.name}: {one.value}")))) for one in written)
    others = [_shown(site, one.place) for one in found if not one.line]
    count = f"{len(others)} {'value' if len(others) == 1 else 'values'}"
    said = f"{'and ' if written else ''}{count} that you have not written"
    folded = tag("details", tag("summary", said), items(others)) if others else None
    return join((items(lines) if written else None, folded)) if found else None


def _shown(site: Site, value: str) -> str:
    return site.secrets.without(value.encode()).decode()


def _special(site: Site, path: str, asset: Asset) -> Html | None:
    kind = asset.address.partition("/")[0]
    if kind in ("cert", "bundle"):
        return certificates.facts(site, path, asset)
    return ignition.contents(site, path, asset) if kind == "ignition" else None


def _content(site: Site, path: str, asset: Asset) -> Html | None:
    kind = asset.address.partition("/")[0]
    if instead := sentences.instead(asset, site.workspace.loaded.cluster.own):
        return tag("p", instead, class_="note")
    content = _read(site, asset)
    if content is None:
        return tag("p", "The file is not built yet: ", code("hardway build"), class_="note")
    if kind in ("cert", "bundle", "pub"):
        return tag("p", f"The file itself has {len(content)} bytes of base64, which are not shown.", class_="note")
    if len(content) > LARGEST:
        return tag("p", f"The file has {len(content)} bytes, and is not shown.", class_="note")
    head = tag("h2", "The file, and the reason of each line")
    return join((head, annotated(site, path, asset, content)))


def _read(site: Site, asset: Asset) -> bytes | None:
    root = site.workspace.store.root
    try:
        return links.read(root / asset.path, below=root)
    except FileNotFoundError:
        return None
