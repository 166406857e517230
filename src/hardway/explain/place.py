"""From a file and a line to the address of what stands there."""

from __future__ import annotations

import re
from pathlib import Path

from hardway.emit.document import Document
from hardway.emit.yaml import Path as FieldPath
from hardway.explain import atlas
from hardway.explain.entry import Explanation
from hardway.explain.explanation import explain_address
from hardway.explain.fields import Fields
from hardway.graph.store import LOCK, RECORD
from hardway.io import plain
from hardway.lines.sources import source
from hardway.model.config.table import FieldRow
from hardway.model.errors import ConfigError
from hardway.model.why import Why, because
from hardway.model.yaml import YamlError
from hardway.workspace.catalogue import documents
from hardway.workspace.folder import Workspace
from hardway.workspace.names import HOSTS, INSTALL_CONFIG, SETTINGS, VERIFIED, YOURS

SOURCE = source("installer", "pkg/types; this program's own tables")
INPUTS: dict[str, Why] = {
    INSTALL_CONFIG: because(
        "The one file a cluster starts from. Yours: read, never changed.",
        readers="every stage, through the plan",
        breaks="there is no cluster to build",
        source=SOURCE,
    ),
    HOSTS: because(
        "Names, addresses, MACs and disks that should not be derived. Yours, optional.",
        readers="the plan",
        breaks="everything is derived from install-config.yaml",
        source=SOURCE,
    ),
    SETTINGS: because(
        "How to build: release, kind of keys, lifetimes, comments, where MCO's render is. Yours, optional.",
        readers="every build",
        breaks="the defaults hold",
        source=SOURCE,
    ),
}

OWN: dict[str, Why] = {
    RECORD: because(
        "What was made from what: the digest of each file and of its inputs. No key is in it.",
        readers="every build and `hardway status`",
        breaks="the next build makes every file again, from the same keys",
        source="this tool",
    ),
    VERIFIED: because(
        "What `hardway verify` has looked at, and how many errors it found.",
        readers="`hardway status`",
        breaks="stages are `built` there instead of `verified`, until the next `hardway verify`",
        source="this tool",
    ),
    LOCK: because(
        "Held by the build that is at work here.",
        readers="every build",
        breaks="two builds at once would write the same files",
        source="this tool",
    ),
}
"""The files below assets that are about the build itself."""


def explain_file(workspace: Workspace, named: Path, line: int | None) -> Explanation:
    """The reason of a whole file, or of what is on one of its lines."""
    file = _locate(workspace, named)
    if file.name in INPUTS and file.parent == workspace.folder.resolve():
        return _input_line(workspace, file, line, named)
    if own := _own(workspace, file, line):
        return own
    relative = _below_assets(workspace, file)
    address = next((a for a, asset in workspace.graph.items() if asset.path == relative), None)
    if relative in OWN:
        return Explanation(address=f"file/{relative}", why=OWN[relative])
    if address is None:
        here = workspace.folder.resolve()
        others = (above for above in named.parents if (above / INSTALL_CONFIG).is_file() and above.resolve() != here)
        if other := next(others, None):
            raise ConfigError(f"{named}: belongs to the cluster in {other}.\n    fix: give -C {other}")
        fix = "`hardway graph -o text` lists the files that it makes"
        raise ConfigError(f"{named}: hardway does not make this file.\n    fix: {fix}")
    document = next((d for d in documents(workspace.loaded.cluster) if d.path == relative), None)
    if line is None or document is None:
        return explain_address(workspace, address)
    path, value = _at(file, line, named)
    found = document.covering(path, value)
    return Explanation(address=found[0], why=found[1], path=relative) if found else _whole(document)


def _own(workspace: Workspace, file: Path, line: int | None) -> Explanation | None:
    """A file of the user's folder manifests/: the document on the line, or the only one, or all of them."""
    if file.parent != (workspace.folder / YOURS).resolve():
        return None
    found = [own for own in workspace.loaded.cluster.own if own.file == f"{YOURS}/{file.name}"]
    if line is not None:
        found = [own for own in found if own.first <= line <= own.last] or found
    if len(found) == 1:
        return explain_address(workspace, found[0].address)
    return Explanation(
        address=f"file/{YOURS}/{file.name}",
        why=because(
            f"Yours: {len(found)} documents. Read, never changed.",
            readers="stage 07, which makes a manifest of each",
            breaks="what you ask for with them is not created",
            source="you",
        ),
        facts=tuple((f"line {own.first}", f"{own.title} becomes {own.address}") for own in found),
    )


def _locate(workspace: Workspace, named: Path) -> Path:
    """The file as named from here, from the cluster's folder, or from its assets."""
    for start in (Path(), workspace.folder, workspace.store.root):
        if (start / named).is_file():
            return (start / named).resolve()
        if (start / named).is_dir():
            fix = "name a file in it; `hardway graph -o text` lists the files that hardway makes"
            raise ConfigError(f"{named}: is a folder.\n    fix: {fix}")
    where = "" if workspace.folder == Path() else f" or in {workspace.folder}"
    beginning, colon, line = str(named).rpartition(":")
    if colon and any((start / beginning).is_file() for start in (Path(), workspace.folder, workspace.store.root)):
        raise ConfigError(
            f"{beginning}: {line!r} is not the number of a line.\n    fix: write {beginning}:1, for example"
        )
    near = atlas.similar(workspace, str(named))
    fix = f"did you mean {near}?" if near else "build it, or check the name"
    raise ConfigError(f"{named}: there is no such file here{where}.\n    fix: {fix}")


def _whole(document: Document) -> Explanation:
    return Explanation(address=document.address, why=document.why, path=document.path)


def _below_assets(workspace: Workspace, file: Path) -> str:
    root = workspace.store.root.resolve()
    return str(file.relative_to(root)) if file.is_relative_to(root) else ""


def _input_line(workspace: Workspace, file: Path, line: int | None, named: Path) -> Explanation:
    if line is not None and (address := input_address(file, line, named)):
        return explain_address(workspace, address)
    return Explanation(address=f"file/{file.name}", why=INPUTS[file.name])


def input_address(file: Path, line: int, named: Path | None = None) -> str:
    """Of the field on a line of a file that the user writes; empty if there is none. Errors have the given name."""
    path, _ = _at(file, line, named or file)
    around = (path[:length] for length in range(len(path), 0, -1))
    rows = (field_row(file.name, candidate) for candidate in (_commented_out(file, line), *around))
    return next((row.address for row in rows if row), "")


def field_row(file: str, path: FieldPath) -> FieldRow | None:
    """The row of this field; `*` in a row stands for any name."""
    from hardway.model.config.load import FIELDS

    names: list[str] = []
    for part in path:
        names = [*names, part] if isinstance(part, str) else [*names[:-1], f"{names[-1]}[]"]
    for row in (row for row in FIELDS if row.file == file):
        parts = row.path.split(".")
        if len(parts) == len(names) and all(p in (n, "*") for p, n in zip(parts, names, strict=True)):
            return row
    return None


def _commented_out(file: Path, line: int) -> FieldPath:
    """The field in a comment that would be one without its `#`, such as `hardway init` writes; else nothing."""
    lines = plain.text(file).splitlines()
    if not lines[line - 1].lstrip().startswith("#"):
        return ()
    path: list[str] = []
    depth = len(lines[line - 1])
    for text in reversed(lines[:line]):
        found = re.match(r"( *)([A-Za-z][\w.-]*):(?: |$)", re.sub(r"^( *)# ?", r"\1", text))
        if found and len(found[1]) < depth:
            path, depth = [found[2], *path], len(found[1])
        elif not path:
            return ()
    return tuple(path)


def _at(file: Path, line: int, named: Path) -> tuple[FieldPath, object]:
    """What stands on the line; an error has the name that the user gave."""
    try:
        fields = Fields(plain.text(file))
    except (OSError, UnicodeDecodeError, YamlError):
        raise ConfigError(f"{named}: cannot be read as YAML.\n    fix: name a YAML file") from None
    if not 1 <= line <= len(fields.lines):
        raise ConfigError(f"{named}: has no line {line}.\n    fix: name a line up to {len(fields.lines)}")
    return fields.at(line)
