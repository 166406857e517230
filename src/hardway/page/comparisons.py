"""Ours beside what others make: what operators rendered into this folder, and what openshift-install wrote."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from hardway.compare.installer.expected.table import EXPECTED as INSTALLER
from hardway.compare.rendered.expected.table import EXPECTED as RENDERED
from hardway.compare.report import Report
from hardway.compare.row import ABSENT, AREAS, KINDS, PRESENT, Difference, Row
from hardway.model.errors import HardwayError
from hardway.page.frame import Page
from hardway.page.html import Html, code, join, prose, table, tag
from hardway.page.site import Site

PATH = "comparisons.html"
Head = tuple[str, str, str]
OPERATORS: Head = ("where", "what operators render", "written by hand")
OTHERS: Head = ("where", "openshift-install", "hardway")


def pages(site: Site) -> Iterator[Page]:
    parts = (
        tag("p", "How this cluster differs from what operators and openshift-install make, and why."),
        tag("h2", "Operators, for this cluster"),
        rendered(site),
        tag("h2", "openshift-install, side by side"),
        installed(site),
        tag("h2", "Operators: every difference that is meant"),
        _expected(site, RENDERED, "Differences from the operators' renders"),
        tag("h2", "openshift-install: every difference that is meant"),
        _expected(site, INSTALLER, "Differences from openshift-install"),
    )
    yield Page(path=PATH, title="Comparisons", body=join(parts))


def rendered(site: Site) -> Html:
    from hardway.compare.rendered.comparison import compare

    try:
        report = compare(site.workspace.folder)
    except HardwayError as error:
        said = str(error).partition("\n")[0].replace(f"{site.workspace.folder}/", "")
        return tag("p", f"Not compared: {said}", class_="note")
    return _report(site, report, OPERATORS)


def installed(site: Site) -> Html:
    """With the file that was named when the pages were asked for."""
    report = site.installer
    if report is None:
        command = code("hardway guide --web --installer FILE")
        return tag("p", command, " shows the bootstrap.ign of an installer beside ours.", class_="note")
    counts = ", ".join(f"{count} {name}" for name, count in report.compared.items())
    said = f"{Path(report.source).name} has {counts}. Ours was made from the install-config in that file."
    return join((tag("p", said), _report(site, report, OTHERS)))


def _report(site: Site, report: Report, head: Head) -> Html:
    sections = []
    if not report.ok:
        sections += [tag("h3", "No row explains these"), _differences(site, report.unexplained, head)]
    for area, several in report.by_area():
        if several:
            sections += [tag("h3", AREAS[area])] if area else []
            sections += [_one(site, row, differences, head) for row, differences in several]
    return join((tag("p", report.summary(), class_="lead"), *sections))


def _one(site: Site, row: Row, several: Sequence[Difference], head: Head) -> Html:
    """The reason is seen at once; both sides are when somebody opens it."""
    kind = f": {KINDS[row.kind]}" if row.kind else ""
    summary = tag("summary", tag("strong", row.name), f" ({len(several)}){kind} ", tag("span", prose(row.what)))
    effect = tag("p", "Without it: ", site.prose(PATH, row.breaks), ".") if row.breaks else None
    return tag("details", summary, effect, _differences(site, several, head, row.name), class_="row")


def _differences(site: Site, several: Sequence[Difference], head: Head, name: str = "no row") -> Html:
    lines = ((_where(one.thing, one.aspect), _value(site, one.theirs), _value(site, one.ours)) for one in several)
    return table(head, lines, f"Side by side: {name}", "sides")


def _where(thing: str, aspect: str) -> str:
    """Alternatives on lines of their own, where they need them."""
    return f"{thing} {aspect}".replace("|", " | ")


def _value(site: Site, value: Any) -> Html:
    if value in (ABSENT, PRESENT):
        return tag("em", str(value))
    text = value if isinstance(value, str) else json.dumps(value, default=str, ensure_ascii=False)
    return code(site.secrets.without(text.encode()).decode())


def _expected(site: Site, rows: tuple[Row, ...], caption: str) -> Html:
    said = ((row, site.prose(PATH, row.what), site.prose(PATH, row.breaks)) for row in rows)
    lines = ((code(row.name), _where(row.thing, row.aspect), why, effect) for row, why, effect in said)
    return table(("difference", "where", "why", "effect"), lines, caption, "searched meant")
