"""The seventeen stages, and how each of them stands in this folder."""

from __future__ import annotations

from collections.abc import Iterator

from hardway.page import texts
from hardway.page.frame import Page
from hardway.page.html import Html, code, items, join, tag
from hardway.page.pictures import Pictures
from hardway.page.site import Site
from hardway.pipeline.status import StageStatus

PATH = "stages.html"
SAID = "The 17 stages from top to bottom: files, bootstrap node, masters, their API and workers as bars"
WEIGHT = {
    "verified": "good",
    "built": "good",
    "in the lab": "good",
    "reached": "good",
    "faulty": "bad",
    "stale": "soon",
    "partial": "soon",
}


def pages(site: Site) -> Iterator[Page]:
    chapters = {name.partition("-")[0]: name for name in texts.chapters() if name[:2].isdigit()}
    rows = (_row(site, row, chapters.get(row.stage.number, "")) for row in site.stages)
    picture = Pictures(site.workspace.loaded.cluster).figure("stages", SAID)
    yield Page(path=PATH, title="Stages", body=join((tag("ol", *rows, class_="stages", data_live="yes"), picture)))


def _row(site: Site, row: StageStatus, chapter: str) -> Html:
    title = tag("a", row.stage.label, href=f"guide/{chapter}.html") if chapter else row.stage.label
    count = f"{row.files} {'file' if row.files == 1 else 'files'}" if row.files else None
    return tag(
        "li",
        tag("strong", title),
        " ",
        state(row),
        tag("small", count) if count else None,
        tag("p", site.prose(PATH, row.stage.why.what)),
        items(_reason(site, reason) for reason in row.reasons) if row.reasons else None,
        id=f"stage-{row.stage.number}",
    )


def state(row: StageStatus) -> Html:
    return tag("span", row.state, class_=f"state {WEIGHT.get(row.state, '')}".strip())


def _reason(site: Site, reason: str) -> Html:
    return code(reason) if reason.startswith("hardway ") else site.prose(PATH, reason)
