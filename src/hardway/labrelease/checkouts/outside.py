"""Folders outside a checkout that are compiled with it: what is in them, git and the labels know nothing of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from hardway.io import plain
from hardway.labrelease.checkouts.read import Checkout
from hardway.model.problem import Problem

_BLOCK = re.compile(r"(replace|use)\s*\($")
_LINE = re.compile(r"(replace|use)\s+(.+)")
_QUOTES = "\"`'"


def warnings(checkout: Checkout) -> Iterator[Problem]:
    """One a folder. What is vendored is compiled from the checkout itself, whatever go.mod says."""
    if checkout.vendored:
        return
    top = checkout.folder.resolve()
    for file in filter(None, (checkout.folder / "go.mod", checkout.workspace)):
        for line, module, place in _named(plain.read(file, largest=16 << 20).decode(errors="replace")):
            if not (top / place).resolve().is_relative_to(top):
                yield _problem(checkout, file, line, module, place)


def _named(text: str) -> Iterator[tuple[int, str, str]]:
    """Line number, module, and the folder that it is taken from; `use` names a folder alone."""
    block = ""
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("//")[0].strip()
        if opened := _BLOCK.fullmatch(words):
            block = opened[1]
        elif words == ")":
            block = ""
        elif found := (block, words) if block and words else _single(words):
            module, arrow, place = found[1].partition("=>")
            place = (place if arrow else module).strip().strip(_QUOTES)
            if (arrow or found[0] == "use") and place.startswith(("./", "../", "/", "..")):
                yield number, module.split()[0].strip(_QUOTES) if arrow else "", place


def _single(words: str) -> tuple[str, str] | None:
    found = _LINE.fullmatch(words)
    return (found[1], found[2]) if found else None


def _problem(checkout: Checkout, file: Path, line: int, module: str, place: str) -> Problem:
    what = f"{module or 'a module'} is compiled from {place}, which is outside the checkout"
    return Problem(
        file=str(file),
        line=line,
        column=1,
        path="",
        message=f"{what}. The labels of {checkout.name} describe the checkout alone",
        fix="copy it into the checkout, or write down its commit yourself",
        rule="source.outside",
        warning=True,
    )
