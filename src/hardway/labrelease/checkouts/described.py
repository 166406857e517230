"""A component that the table does not know, described in a small file of the user's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hardway.io import plain
from hardway.labrelease.checkouts.row import Kit
from hardway.labrelease.checkouts.table import BY_NAME, MANIFESTS, YOURS
from hardway.labrelease.components.row import Component
from hardway.labrelease.components.row import Program as Compiled
from hardway.labrelease.components.table import COMPONENTS
from hardway.labrelease.images import table as images
from hardway.labrelease.images.table import Data, Image, Part, Program
from hardway.labrelease.payload.sources import Source
from hardway.model.config.reader import read
from hardway.model.config.reading import Reading
from hardway.model.config.table import FieldRow, Kind, shape_of
from hardway.model.errors import ConfigError
from hardway.model.why import because

FILE = "component.yaml"
_LARGEST = 1 << 20
_WHY = because("A component of your own, described in a file.", source="--component")


def _row(path: str, kind: Kind, what: str, *, breaks: str, required: bool = False, default: str = "") -> FieldRow:
    why = because(what, readers="hardway lab release build, hardway lab replace", breaks=breaks, source="this tool")
    return FieldRow(file=FILE, path=path, kind=kind, why=why, required=required, default=default or None)


ROWS = (
    _row("name", "text", "what --source calls it", breaks="--source cannot name it", required=True),
    _row("image", "text", "its image's name in image-references; the name unless given", breaks="no manifest uses it"),
    _row("programs", "list", "the programs to compile", breaks="the image is empty", required=True),
    _row("programs[]", "mapping", "one program", breaks="as its fields"),
    _row(
        "programs[].package",
        "text",
        "its Go package, as ./cmd/NAME",
        breaks="the program is not compiled",
        required=True,
    ),
    _row(
        "programs[].file",
        "text",
        "its name in /usr/bin of the image; the last part of the package unless given",
        breaks="the manifests' commands do not find it",
    ),
    _row("manifests", "text", "the folder with its manifests", breaks="CVO creates no object of it", default=MANIFESTS),
    _row("files", "list", "folders that the image has besides", breaks="the program does not find its files"),
    _row("files[]", "mapping", "one folder", breaks="as its fields"),
    _row("files[].folder", "text", "in the checkout", breaks="it is not found", required=True),
    _row("files[].target", "text", "in the image", breaks="the program looks elsewhere", required=True),
    _row("tags", "list", "build tags", breaks="files with these tags are left out"),
    _row("tags[]", "text", "one build tag", breaks="files with it are left out"),
    _row("user", "text", "the number of the user it runs as; root unless given", breaks="runAsNonRoot refuses it"),
    _row("entrypoint", "list", "the image's command", breaks="a pod without a command does not start"),
    _row("entrypoint[]", "text", "one word of the command", breaks="as the command"),
    _row("clusterOperators", "list", "the ClusterOperators that it reports on", breaks="the lab reports on them too"),
    _row("clusterOperators[]", "text", "the name of one", breaks="the lab reports on it too"),
)
_SHAPE = shape_of(ROWS)

_NAME = r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
_WORD = r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}"
_PATH = rf"{_WORD}(/{_WORD})*"
_RULES: tuple[tuple[str, str, str, str], ...] = (
    ("name", _NAME, "must be lower-case letters, digits and dashes", "write a name such as my-operator"),
    ("image", _NAME, "must be lower-case letters, digits and dashes", "write a name such as my-operator"),
    ("programs[].package", rf"\.(/{_PATH})?", "must be a folder of the module", "write it as ./cmd/my-operator"),
    ("programs[].file", _WORD, "must be the name of a file", "write a name such as my-operator"),
    ("manifests", _PATH, "must be a folder in the checkout", "write a path such as manifests"),
    ("files[].folder", _PATH, "must be a folder in the checkout", "write a path such as bindata"),
    ("files[].target", _PATH, "must be a path without the first slash", "write a path such as usr/share/my-operator"),
    ("tags[]", r"[A-Za-z0-9_.]{1,60}", "must be a build tag", "write a word such as ocp"),
    ("user", r"[1-9][0-9]{0,9}", "must be a number above zero", 'write a number such as "1001"'),
    ("entrypoint[]", r"[!-~]{1,200}", "must be one word of a command", "write one word, such as /usr/bin/my-operator"),
    ("clusterOperators[]", _NAME, "must be the name of an object", "write a name such as my-operator"),
)


def load(path: Path) -> Kit:
    """The file's component. All problems of the file are told at once."""
    try:
        text = plain.read(path, largest=_LARGEST).decode()
    except (OSError, UnicodeDecodeError) as error:
        said = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise ConfigError(f"--component {path}: {said}.\n    fix: name a YAML file that can be read") from None
    return parsed(text, str(path))


def parsed(text: str, file: str = FILE) -> Kit:
    reading = read(text, file, _SHAPE, strict=True)
    if reading.empty:
        reading.error("component.empty", "", "the file is empty", "describe a component: name and programs")
    for path, pattern, message, fix in _RULES:
        for place, value in _values(reading.values, path.split(".")):
            if isinstance(value, str) and not re.fullmatch(pattern, value):
                reading.error("component.value", place, message, fix)
    _free(reading, "name", BY_NAME, "is known already, and needs no file")
    pinned = {row.name for row in COMPONENTS} - BY_NAME.keys()
    _free(reading, "name", pinned, "is a component of every node, which no image of the release replaces")
    image = "image" if "image" in reading.values else "name"
    _free(reading, image, {row.name for row in images.TABLE}, "is an image of the release already")
    if errors := [problem for problem in reading.problems if not problem.warning]:
        raise ConfigError(errors)
    return _kit(reading.values, text)


def _free(reading: Reading, path: str, taken: Any, message: str) -> None:
    value = reading.values.get(path)
    if value in taken and not reading.is_broken(path):
        reading.error("component.taken", path, f"{value} {message}", "choose another name")


def _values(found: Any, steps: list[str], place: str = "") -> Iterator[tuple[str, Any]]:
    """Every value that a path with `[]` leads to, with its own path."""
    if not steps:
        yield place, found
        return
    name, listed = steps[0].removesuffix("[]"), steps[0].endswith("[]")
    value = found.get(name) if isinstance(found, dict) else None
    here = f"{place}.{name}" if place else name
    if listed:
        for number, item in enumerate(value or ()):
            yield from _values(item, steps[1:], f"{here}[{number}]")
    elif value is not None:
        yield from _values(value, steps[1:], here)


def _kit(values: dict[str, Any], text: str) -> Kit:
    name, manifests = values["name"], values.get("manifests") or MANIFESTS
    image = values.get("image") or name
    compiled = tuple(_program(name, row) for row in values["programs"])
    data = tuple(Data(component=name, folder=row["folder"], target=row["target"]) for row in values.get("files") or ())
    own = Data(component=name, folder=manifests, target=MANIFESTS)
    parts: tuple[Part, ...] = (*(Program(component=name, name=row.file) for row in compiled), *data, own)
    component = Component(
        name=name,
        version=YOURS,
        module="",  # whatever go.mod says
        programs=compiled,
        tags=tuple(values.get("tags") or ()),
        data=tuple(dict.fromkeys(part.folder for part in (*data, own))),
        sets=("operators",),
        why=_WHY,
    )
    packed = Image(
        name=image,
        parts=parts,
        sets=(),
        operator=True,
        user=values.get("user") or "",
        entrypoint=tuple(values.get("entrypoint") or ()),
        why=_WHY,
    )
    source = Source(image=image, component=name, folder=manifests, sets=(), why=_WHY)
    reported = tuple(values.get("clusterOperators") or ())
    return Kit(component=component, images=(packed,), sources=(source,), operators=reported, described=text)


def _program(name: str, row: dict[str, str]) -> Compiled:
    last = row["package"].rpartition("/")[2].strip(".")
    return Compiled(package=row["package"], file=row.get("file") or last or name)
