"""From a file and a line to the address of what stands there."""

from __future__ import annotations

from pathlib import Path

import yaml

from hardway.emit.document import Document
from hardway.emit.yaml import Path as FieldPath
from hardway.explain.entry import Explanation
from hardway.explain.explanation import explain_address
from hardway.lines.sources import source
from hardway.model.errors import ConfigError
from hardway.model.why import Why, because
from hardway.model.yaml import YamlError, compose
from hardway.workspace.catalogue import documents
from hardway.workspace.folder import Workspace
from hardway.workspace.names import HOSTS, INSTALL_CONFIG, SETTINGS

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


def explain_file(workspace: Workspace, named: Path, line: int | None) -> Explanation:
    """The reason of a whole file, or of what is on one of its lines."""
    file = _locate(workspace, named)
    if file.name in INPUTS and file.parent == workspace.folder.resolve():
        return _input_line(workspace, file, line)
    relative = _below_assets(workspace, file)
    address = next((a for a, asset in workspace.graph.items() if asset.path == relative), None)
    if address is None:
        raise ConfigError(f"{named}: hardway does not make this file.\n    fix: name one below {workspace.store.root}")
    document = next((d for d in documents(workspace.loaded.cluster) if d.path == relative), None)
    if line is None or document is None:
        return explain_address(workspace, address)
    path, value = _at(file, line)
    found = document.covering(path, value)
    return Explanation(address=found[0], why=found[1], path=relative) if found else _whole(document)


def _locate(workspace: Workspace, named: Path) -> Path:
    """The file as named from here, from the cluster's folder, or from its assets."""
    for start in (Path(), workspace.folder, workspace.store.root):
        if (start / named).is_file():
            return (start / named).resolve()
    raise ConfigError(
        f"{named}: there is no such file here or in {workspace.folder}.\n    fix: build it, or check the name"
    )


def _whole(document: Document) -> Explanation:
    return Explanation(address=document.address, why=document.why, path=document.path)


def _below_assets(workspace: Workspace, file: Path) -> str:
    root = workspace.store.root.resolve()
    return str(file.relative_to(root)) if file.is_relative_to(root) else ""


def _input_line(workspace: Workspace, file: Path, line: int | None) -> Explanation:
    from hardway.model.config.load import FIELDS

    if line is None:
        return Explanation(address=f"file/{file.name}", why=INPUTS[file.name])
    path, _ = _at(file, line)
    names = [part if isinstance(part, str) else "[]" for part in path]
    while names:
        text = ".".join(names).replace(".[]", "[]")
        if any(row.file == file.name and row.path == text for row in FIELDS):
            return explain_address(workspace, f"field/{file.name}#{text}")
        names.pop()
    return Explanation(address=f"file/{file.name}", why=INPUTS[file.name])


def _at(file: Path, line: int) -> tuple[FieldPath, object]:
    """The deepest field on the line; for a comment, the field under it; for the head of the file, nothing."""
    try:
        text = file.read_text()
        root = compose(text)
    except (OSError, UnicodeDecodeError, YamlError):
        raise ConfigError(f"{file}: cannot be read as YAML.\n    fix: name a YAML file") from None
    lines = text.splitlines()
    if not 1 <= line <= len(lines):
        raise ConfigError(f"{file}: has no line {line}.\n    fix: name a line up to {len(lines)}")
    if not any(_has_field(above) for above in lines[:line]):
        return (), None
    line = next((n for n in range(line, len(lines) + 1) if _has_field(lines[n - 1])), line)
    places = [p for p in _places(root, ()) if p[0] <= line - 1 <= p[1]]
    chosen = max(places, key=lambda p: (p[0], len(p[2])), default=None)
    return (chosen[2], chosen[3]) if chosen else ((), None)


def _has_field(line: str) -> bool:
    stripped = line.strip()
    return bool(stripped) and not stripped.startswith("#")


def _places(node: yaml.Node | None, path: FieldPath) -> list[tuple[int, int, FieldPath, object]]:
    """Each field with its first line, its last line, its path and its value."""
    found: list[tuple[int, int, FieldPath, object]] = []
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            here = (*path, key.value)
            found.append((key.start_mark.line, _last(value), here, _scalar(value)))
            found += _places(value, here)
    elif isinstance(node, yaml.SequenceNode):
        for index, value in enumerate(node.value):
            here = (*path, index)
            found.append((value.start_mark.line, _last(value), here, _scalar(value)))
            found += _places(value, here)
    return found


def _last(node: yaml.Node) -> int:
    end = node.end_mark
    return end.line - 1 if end.column == 0 and end.line > node.start_mark.line else end.line


def _scalar(node: yaml.Node) -> object:
    return node.value if isinstance(node, yaml.ScalarNode) else None
