"""A file of the user's as documents: split where the YAML says so, each with the very bytes that the user wrote."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from hardway.model.config.nodes import START, Mapping, Node, Place, Scalar, Sequence
from hardway.model.config.scalars import as_text
from hardway.model.config.yaml import Document, YamlError, parse
from hardway.model.own.document import FOLDER, Own
from hardway.model.own.reasons import Rule
from hardway.model.problem import Problem
from hardway.model.yaml import YamlError as Unreadable
from hardway.model.yaml import document_starts

_FILE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,120}\.ya?ml")
_WHOLE = "write apiVersion, kind and metadata.name; a List is written as separate documents"
_LONGEST_PATH = 200
"""Characters of a path whose place is kept. Fields below are told with the place of what they are in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A file, and where problems in it are told."""

    name: str
    shown: str

    def problem(self, rule: Rule, place: Place, path: str, message: str, fix: str, *, warning: bool = False) -> Problem:
        line, column = place
        return Problem(
            file=self.shown,
            line=line,
            column=column,
            path=path,
            message=message,
            fix=fix,
            rule=f"own.{rule}",
            warning=warning,
        )


def is_name(name: str) -> bool:
    """Of a file that would arrive on the bootstrap node."""
    return _FILE.fullmatch(name) is not None


def read_file(source: Source, content: bytes, problems: list[Problem]) -> list[Own]:
    """The documents of a file; what is wrong with it goes to the problems."""
    if not source.name.endswith((".yaml", ".yml")):
        message = "is not read: only files whose names end with .yaml or .yml are"
        problems.append(source.problem("file-name", START, "", message, "rename it, or move it out of the folder"))
        return []
    if not is_name(source.name):
        message = "its name has other characters than letters, digits, dots, dashes and underscores, or is too long"
        problems.append(source.problem("file-name", START, "", message, "rename it, or move it out of the folder"))
        return []
    try:
        text = content.decode()
        parsed = [(start, part, _parsed(start, part)) for start, part in _slices(text)]
    except UnicodeDecodeError as error:
        before = content[: error.start].decode()
        problems.append(
            source.problem("syntax", _after(before), "", "this is not UTF-8", "save the file as UTF-8 text")
        )
        return []
    except Unreadable as error:
        problems.append(_syntax(source, Place(error.line, error.column), error.message))
        return []
    except YamlError as error:
        problems.append(_syntax(source, error.place, error.message))
        return []
    found = [(start, part, document) for start, part, document in parsed if not _is_empty(document.root)]
    if not found:
        message = "the file holds no document, and nothing is made of it"
        fix = "write an object with apiVersion, kind and metadata.name, or remove the file"
        problems.append(source.problem("empty", START, "", message, fix, warning=True))
    return list(_documents(source, found, alone=len(parsed) == 1, problems=problems))


def _documents(
    source: Source, found: list[tuple[Place, str, Document]], *, alone: bool, problems: list[Problem]
) -> Iterator[Own]:
    for number, (start, part, document) in enumerate(found, 1):
        for place, message, fix in document.flaws:
            problems.append(source.problem("syntax", _moved(place, start), "", message, fix))
        assert document.root is not None
        places: dict[str, Place] = {}
        body = _value(document.root, "", places, start)
        if lacks := _lacks(body):
            place = places.get(lacks.path, _moved(document.root.place, start))
            problems.append(source.problem("object", place, *lacks))
            continue
        name = source.name if len(found) == 1 else _numbered(source.name, number, len(found))
        yield Own(
            file=f"{FOLDER}/{source.name}",
            first=1 if alone else start.line,
            last=start.line + part.rstrip("\n").count("\n"),
            number=number,
            of=len(found),
            content=part.encode(),
            body=body,
            places=places,
            address=f"manifest/{name}",
            path=f"{FOLDER}/{name}",
        )


def _slices(text: str) -> Iterator[tuple[Place, str]]:
    """Each document with where it begins. The first has what is above it; the others begin with their dashes."""
    line = 1
    for begin, end in pairwise([0, *document_starts(text)[1:], len(text)]):
        place = Place(line, begin - text.rfind("\n", 0, begin))
        part = text[begin:end]
        if part.startswith("%") or "\n%YAML" in part or "\n%TAG" in part:
            raise YamlError(place, "a line with a YAML directive (%) is here, and oc does not read it")
        yield place, part
        line += part.count("\n")


def _parsed(start: Place, part: str) -> Document:
    try:
        return parse(part)
    except YamlError as error:
        raise YamlError(_moved(error.place, start), error.message) from None


def _after(text: str) -> Place:
    return Place(text.count("\n") + 1, len(text) - text.rfind("\n"))


def _moved(place: Place, start: Place) -> Place:
    """From a slice's place to the file's; a slice begins at the beginning of a line."""
    return Place(place.line + start.line - 1, place.column)


def _is_empty(root: Node | None) -> bool:
    return root is None or (isinstance(root, Scalar) and root.value is None)


def _value(node: Node, path: str | None, places: dict[str, Place], start: Place) -> Any:
    """Plain values, and where each field and item stands, but for those without a path."""
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Sequence):
        paths = [_kept(path, f"[{index}]", item.place, places, start) for index, item in enumerate(node.items)]
        return [_value(item, inner, places, start) for item, inner in zip(node.items, paths, strict=True)]
    assert isinstance(node, Mapping)
    found: dict[str, Any] = {}
    for key, value in node.pairs:
        name = as_text(key.value)
        inner = _kept(path, f".{name}" if path else name, key.place, places, start)
        found[name] = _value(value, inner, places, start)
    return found


def _kept(path: str | None, step: str, place: Place, places: dict[str, Place], start: Place) -> str | None:
    """The path of a field or an item, whose place is kept. None if it is too long."""
    if path is None or len(path) + len(step) > _LONGEST_PATH:
        return None
    inner = f"{path}{step}"
    places.setdefault(inner, _moved(place, start))
    return inner


class Lack(NamedTuple):
    path: str
    message: str
    fix: str


def _lacks(body: Any) -> Lack | None:
    """The first of the fields that make an object, and what is wrong with it; None if it has them all."""
    if not isinstance(body, dict):
        return Lack("", "this is not an object that the API could store: it has no fields", _WHOLE)
    metadata = body.get("metadata")
    about = metadata if isinstance(metadata, dict) else {}
    said = {"apiVersion": body.get("apiVersion"), "kind": body.get("kind"), "metadata.name": about.get("name")}
    for path, value in said.items():
        if value is None or value == "":
            return Lack(path, "is missing: this is not an object that the API could store", _WHOLE)
    said["metadata.namespace"] = about.get("namespace", "")
    return next((_no_text(path, value) for path, value in said.items() if not isinstance(value, str | None)), None)


def _no_text(path: str, value: Any) -> Lack:
    if isinstance(value, dict | list):
        return Lack(
            path, f"must be text, but it is a {'mapping' if isinstance(value, dict) else 'list'}", "write a name"
        )
    kind = f"{as_text(value)}, a boolean" if isinstance(value, bool) else "a number"
    return Lack(path, f"must be text, and YAML reads this word as {kind}", "write it in quotes")


def _numbered(name: str, number: int, of: int) -> str:
    stem, _, suffix = name.rpartition(".")
    return f"{stem}-{number:0{len(str(of))}}.{suffix}"


def _syntax(source: Source, place: Place, message: str) -> Problem:
    return source.problem("syntax", place, "", message, "correct the YAML at this place")
