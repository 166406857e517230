"""The manifests of a checkout, judged before anything is compiled: what CVO would stumble over in a running cluster."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hardway.io import plain
from hardway.io.harmless import one_line
from hardway.labrelease.checkouts.row import Kit
from hardway.labrelease.payload.assemble import REFERENCES
from hardway.labrelease.payload.sources import LEFT_OUT, Source
from hardway.model.problem import Problem
from hardway.model.yaml import YamlError, load, load_all

_NAME = re.compile(r"[a-z0-9]([a-z0-9._-]{0,126}[a-z0-9])?")
_LARGEST = 16 << 20


def problems(kit: Kit, folder: Path) -> Iterator[Problem]:
    """With the folder of the checkout, or of its copied data."""
    for pattern in kit.component.data:
        if not any(path.is_dir() and any(path.iterdir()) for path in folder.glob(pattern)):
            message = f"the checkout of {kit.name} has no files there"
            fix = "name the top folder of a complete checkout, on a branch that has this folder"
            yield _problem(folder / pattern, message, fix)
    for source in kit.brought:
        if (folder / source.folder).is_dir():
            yield from _of(kit, source, folder / source.folder)


def _of(kit: Kit, source: Source, folder: Path) -> Iterator[Problem]:
    skipped = {row.file for row in LEFT_OUT}
    files = [path for path in sorted(folder.glob(source.pattern)) if path.name not in skipped]
    if not files:
        fix = "put the manifests of the component there: the payload is made of them"
        yield _problem(folder, f"there is no file that matches {source.pattern}", fix)
    references = folder / REFERENCES
    try:
        known = placeholders(load(_text(references))) if references.is_file() else {}
    except (YamlError, ValueError, OSError) as error:
        yield _problem(references, _said(error), f"write it as `oc adm release new` reads it: {_SHAPE}", error)
        return
    for path in files:
        yield from _images(path, known)
    own = {row.name for row in kit.images}
    if own and known and not own & set(known.values()):
        message = f"does not list the image {', '.join(sorted(own))}, so no manifest can name it"
        yield _problem(references, message, "add a tag with this name, and the placeholder that the manifests use")


def placeholders(found: Any) -> dict[str, str]:
    """Placeholder to image name; ValueError for anything that is no list of them."""
    tags = ((found or {}).get("spec") or {}).get("tags") if isinstance(found, dict) else None
    if not isinstance(tags, list):
        raise ValueError("it has no spec.tags")
    rows = {}
    for tag in tags:
        name, placed = (tag.get("name"), (tag.get("from") or {}).get("name")) if isinstance(tag, dict) else (None, None)
        if not isinstance(name, str) or not isinstance(placed, str) or not _NAME.fullmatch(name) or not placed:
            raise ValueError("a tag lacks its name or from.name")
        rows[placed] = name
    return rows


_SHAPE = "an ImageStream whose spec.tags have name and from.name"


def _images(path: Path, known: Mapping[str, str]) -> Iterator[Problem]:
    try:
        text = _text(path)
        bodies = load_all(text) if "image:" in text else []
    except (YamlError, ValueError, OSError) as error:
        yield _problem(path, _said(error), "correct the file: CVO reads it as YAML", error)
        return
    for body in bodies:
        for image in _containers(body):
            if image not in known:
                message = f"a container has the image {one_line(image)}, which {REFERENCES} does not list"
                fix = f"add it to {path.parent / REFERENCES}, or use a placeholder that is listed there"
                yield _problem(path, message, fix)


def _containers(body: Any) -> Iterator[str]:
    """Of whatever has a pod, or a template of one."""
    if not isinstance(body, dict) or not isinstance(body.get("spec"), dict):
        return
    spec = body["spec"]
    template = spec.get("template")
    pod = template.get("spec") if isinstance(template, dict) else spec
    for kind in ("initContainers", "containers"):
        for row in (pod.get(kind) or ()) if isinstance(pod, dict) else ():
            if isinstance(row, dict) and isinstance(row.get("image"), str):
                yield row["image"]


def _text(path: Path) -> str:
    return plain.read(path, largest=_LARGEST).decode()


def _said(error: Exception) -> str:
    if isinstance(error, YamlError):
        return error.message
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)


def _problem(path: Path, message: str, fix: str, error: Exception | None = None) -> Problem:
    line, column = (error.line, error.column) if isinstance(error, YamlError) else (1, 1)
    named = path.is_file()
    return Problem(
        file=str(path) if named else "",
        line=line,
        column=column,
        path="" if named else str(path),
        message=message,
        fix=fix,
        rule="source.manifests",
    )
