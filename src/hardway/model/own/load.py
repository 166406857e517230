"""All of the user's documents, in the order of their files' names."""

from __future__ import annotations

from collections.abc import Mapping

from hardway.lines.line import Line
from hardway.model.own.document import FOLDER, Own
from hardway.model.own.read import Source, read_file
from hardway.model.own.rules import judge
from hardway.model.problem import Problem


def load_own(files: Mapping[str, bytes], folder: str, line: Line) -> tuple[tuple[Own, ...], list[Problem]]:
    """`files` by name; `folder` is how the user's folder is called in messages."""
    problems: list[Problem] = []
    documents: list[Own] = []
    shown: dict[str, Source] = {}
    for name in sorted(files):
        source = Source(name=name, shown=f"{folder}/{name}")
        shown[f"{FOLDER}/{name}"] = source
        documents += read_file(source, files[name], problems)
    problems += judge(documents, line, shown)
    return tuple(documents), problems
