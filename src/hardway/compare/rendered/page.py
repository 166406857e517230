"""The comparison as a page for a browser: one file, nothing loaded, no script; areas are chosen by style alone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import escape
from typing import Any

from hardway.compare.rendered.comparison import counted
from hardway.compare.report import Report
from hardway.compare.row import ABSENT, AREAS, KINDS, PRESENT, Difference, Row

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
MARK = '<meta name="generator" content="hardway compare">'
NEW_LINE = "\n"
ALL = "all"
OPEN = "unexplained"
STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --bad: #c22; --good: #284; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 76rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin: 0 0 .5rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
code { font: .86em/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
nav { margin: 1.5rem 0; display: flex; flex-wrap: wrap; gap: .4rem; }
input[type=radio] { position: absolute; opacity: 0; }
label { border: 1px solid var(--line); border-radius: 1rem; padding: .15rem .8rem; cursor: pointer; }
label small { opacity: .7; }
details { border: 1px solid var(--line); border-radius: .4rem; margin: .5rem 0; padding: .4rem .8rem; }
summary { cursor: pointer; } summary b { font-weight: 600; }
.kind { border-radius: 1rem; background: var(--soft); padding: 0 .6rem; font-size: .82em; margin-left: .4rem; }
.without { opacity: .85; } .source { font-size: .82em; opacity: .7; }
table { border-collapse: collapse; width: 100%; font-size: .88em; margin: .6rem 0; table-layout: fixed; }
th, td { text-align: left; vertical-align: top; padding: .25rem .5rem; border-top: 1px solid var(--line); }
th:first-child, td:first-child { width: 40%; }
td { overflow-wrap: anywhere; }
.ok { color: var(--good); } .bad { color: var(--bad); } .none { opacity: .55; }
section.unexplained { border: 2px solid var(--bad); border-radius: .4rem; padding: 0 1rem 1rem; }
"""


def page(report: Report) -> str:
    """Everything in it is escaped, wherever it comes from."""
    names = [ALL, *([] if report.ok else [OPEN]), *AREAS]
    parts = [*_head(report), *_choice(report, names), "<main>", *_sections(report), "</main>", *_missing(report)]
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n{MARK}\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Rendered and by hand: {escape(report.source)}</title>\n"
        f"<style>{STYLE}{_rules(names)}</style></head><body>\n{NEW_LINE.join(parts)}\n</body></html>\n"
    )


def _rules(names: list[str]) -> str:
    """Which sections are seen when a button is pressed."""
    chosen = [name for name in names if name != ALL]
    hidden = (f"#show-{n}:checked ~ main section:not(.{n}) {{ display: none; }}" for n in chosen)
    pressed = (
        f"#show-{n}:checked ~ nav label[for=show-{n}] {{ background: Highlight; color: HighlightText; }}\n"
        f"#show-{n}:focus-visible ~ nav label[for=show-{n}] {{ outline: 2px solid; }}"
        for n in names
    )
    return "\n".join([*hidden, *pressed])


def _head(report: Report) -> Iterator[str]:
    kind = "ok" if report.ok else "bad"
    yield "<h1>What operators rendered, beside what is written by hand</h1>"
    yield f'<p><code>{escape(report.source)}</code>: <b class="{kind}">{escape(report.summary())}</b></p>'
    rows = (f"<li><b>{escape(name)}</b>: {escape(counted(counts))}</li>" for name, counts in report.compared.items())
    yield f"<ul>{''.join(rows)}</ul>"


def _choice(report: Report, names: list[str]) -> Iterator[str]:
    counts: dict[str, int] = {area: sum(len(several) for _, several in rows) for area, rows in report.by_area()}
    known = {**counts, ALL: len(report.differences), OPEN: len(report.unexplained)}
    for name in names:
        checked = " checked" if name == ALL else ""
        yield f'<input type="radio" name="show" id="show-{name}"{checked}>'
    labels = (f'<label for="show-{name}">{name} <small>{known[name]}</small></label>' for name in names)
    yield f"<nav>{''.join(labels)}</nav>"


def _sections(report: Report) -> Iterator[str]:
    if not report.ok:
        areas = " ".join(sorted({d.area for d in report.unexplained}))
        yield f'<section class="{OPEN} {areas}"><h2 class="bad">No row explains these</h2>'
        yield from (*_table(list(report.unexplained)), "</section>")
    for area, rows in report.by_area():
        if rows:
            yield f'<section class="{area}"><h2>{escape(AREAS[area])}</h2>'
            for row, several in rows:
                yield from _row(row, several)
            yield "</section>"


def _row(row: Row, several: list[Difference]) -> Iterator[str]:
    yield (
        f"<details><summary><b>{escape(row.name)}</b> <small>{len(several)}</small>"
        f'<span class="kind">{escape(KINDS[row.kind])}</span><br>{_prose(row.what)}</summary>'
    )
    yield f'<p class="without">Without: {_prose(row.breaks)}.</p><p class="source">{escape(row.source)}</p>'
    yield from _table(several)
    yield "</details>"


def _table(several: list[Difference]) -> Iterator[str]:
    yield "<table><thead><tr><th>where</th><th>the operator</th><th>by hand</th></tr></thead><tbody>"
    for one in several:
        things = dict.fromkeys((one.operator, one.thing))
        where = f"{escape(' · '.join(things))}<br><code>{escape(one.aspect)}</code>"
        yield f"<tr><td>{where}</td><td>{_value(one.theirs)}</td><td>{_value(one.ours)}</td></tr>"
    yield "</tbody></table>"


def _prose(text: str) -> str:
    """Words between backquotes as what they are: something to type."""
    return re.sub("`([^`]*)`", r"<code>\1</code>", escape(text))


def _value(value: Any) -> str:
    if value in (ABSENT, PRESENT):
        return f'<span class="none">{value}</span>'
    text = value if isinstance(value, str) else json.dumps(value, default=str, ensure_ascii=False)
    return f"<code>{escape(text)}</code>" if text else '<span class="none">empty</span>'


def _missing(report: Report) -> Iterator[str]:
    if report.missing:
        yield "<h2>Not compared</h2><p>Nothing of these is rendered in this folder.</p><ul>"
        for one in report.missing:
            fix = escape(one.fix.strip("`"))
            yield f"<li><b>{escape(one.name)}</b>: {escape(one.what)}. To get it: <code>{fix}</code></li>"
        yield "</ul>"
