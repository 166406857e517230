"""The files that the user writes, with the reason of each field and what it decides."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from hardway.explain.fields import has_field
from hardway.explain.place import INPUTS, input_address
from hardway.io import plain
from hardway.page import sentences
from hardway.page.frame import Page
from hardway.page.html import join, tag
from hardway.page.lines import Line, parts
from hardway.page.site import Site, yours


def pages(site: Site) -> Iterator[Page]:
    for name, why in INPUTS.items():
        file = site.workspace.folder / name
        if file.is_file():
            path = yours(name)
            body = join((tag("p", why.what, class_="lead"), parts(site, path, list(_lines(site, file)))))
            yield Page(path=path, title=name, body=body)


def _lines(site: Site, file: Path) -> Iterator[Line]:
    changes = {(trial.file, trial.line): trial.changes for trial in site.trials if trial.line}
    shown = sentences.shown(plain.read(file), site.secrets).splitlines()
    for number, text in enumerate(shown, 1):
        if has_field(text):
            address = input_address(file, number)
            found = site.explanations.get(address)
            decides = changes.get((file.name, number), ())
            yield Line(number=number, text=text, address=address, why=found.why if found else None, decides=decides)
