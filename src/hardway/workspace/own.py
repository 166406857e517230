"""The user's folder `manifests/`: its files, and which documents of ours they stand in for."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from hardway.emit.document import Document, asset
from hardway.graph.asset import Given
from hardway.io import links
from hardway.model.cluster import Cluster
from hardway.model.config.load import Loaded
from hardway.model.config.nodes import START
from hardway.model.entropy import SystemEntropy
from hardway.model.errors import ConfigError
from hardway.model.own.document import FOLDER, Identity, Own, identity
from hardway.model.own.read import Source, is_name
from hardway.model.problem import Problem
from hardway.model.yaml import LARGEST
from hardway.workspace.catalogue import MANIFESTS, paths

TOGETHER = 4 * LARGEST
"""Bytes of all files of a folder with manifests. An object of the API has at most about two million."""


def read_own(folder: Path) -> tuple[dict[str, bytes], tuple[Problem, ...]]:
    """The files by name; hidden ones are passed over. What is no plain file is a problem, and is not opened. Nor is a
    file whose name is refused later, or that is beyond the bounds."""
    home = folder / FOLDER
    files: dict[str, bytes] = {}
    problems: list[Problem] = []
    size = 0
    for name in _names(home):
        source = Source(name=name, shown=str(home / name))
        if (home / name).is_dir() and not (home / name).is_symlink():
            message = "is a folder, and is not read: only files of this folder whose names end with .yaml or .yml are"
            problems.append(
                source.problem("file", START, "", message, "move its files up, or move it out of the folder")
            )
            continue
        try:
            files[name] = links.read(home / name, largest=LARGEST) if is_name(name) else b""
        except OSError as error:
            fix = "put a file that can be read in its place, or move it out of the folder"
            problems.append(source.problem("file", START, "", str(error.strerror), fix))
        size += len(files.get(name, b""))
        if size > TOGETHER:
            message = f"with this file, those of the folder have more than {TOGETHER >> 20} MiB"
            problems.append(source.problem("file", START, "", message, "move the large files out of the folder"))
            break
    return files, tuple(problems)


def _names(home: Path) -> list[str]:
    try:
        links.refuse(home)
        return sorted(name for name in os.listdir(home) if not name.startswith("."))
    except FileNotFoundError:
        return []
    except OSError as error:
        fix = getattr(error, "fix", f"make {home} a folder that can be read, or remove it")
        raise ConfigError(f"{home}: {error.strerror}.\n    fix: {fix}") from None


def settle(loaded: Loaded, folder: Path, allowed: Collection[str] | None) -> Loaded:
    """The cluster with each document of the user's in its place: beside ours, or in place of one of ours.

    `allowed` are the addresses of ours that may be replaced. None: all, for whoever looks and builds nothing."""
    cluster = loaded.cluster
    if not cluster.own and not allowed:
        return loaded
    ours = dict(_ours(cluster))
    taken = {path: address for address, path in paths(replace(cluster, own=())).items()}
    settled = [_placed(own, ours.get(own.identity)) for own in cluster.own]
    problems = [
        problem
        for own in settled
        for problem in _clashes(own, ours.get(own.identity), taken, allowed, str(folder / own.file))
    ]
    if unknown := _unused(settled, ours, allowed or ()):
        raise ConfigError("\n".join([*map(str, problems), *unknown]))
    if problems:
        raise ConfigError(problems)
    return replace(loaded, cluster=replace(cluster, own=tuple(settled)))


def _ours(cluster: Cluster) -> Iterator[tuple[Identity, Document]]:
    """What our documents are called in the cluster; they are made from nothing, since only their names count."""
    for document in MANIFESTS.documents(replace(cluster, own=())):
        row = asset(document, stage="07", comments="none")
        given = Given(asset=row, cluster=cluster, content=lambda address: b"", entropy=SystemEntropy())
        yield identity(document.body(given)), document


def _placed(own: Own, ours: Document | None) -> Own:
    return own if ours is None else replace(own, address=ours.address, path=ours.path, replaces=True)


def _clashes(
    own: Own, ours: Document | None, taken: Mapping[str, str], allowed: Collection[str] | None, shown: str
) -> Iterator[Problem]:
    source = Source(name=own.file, shown=shown)
    if ours is not None and allowed is not None and ours.address not in allowed:
        message = f"{own.title} is made by hardway already ({ours.path})"
        fix = f"remove it, or put yours in place of ours with `hardway build --replace {ours.address}`"
        yield source.problem("clash", own.place("metadata.name"), "metadata.name", message, fix)
    elif ours is None and (own.path in taken or own.address in taken.values()):
        message = f"hardway makes a file of this name, {own.path}, for another object"
        yield source.problem("file-name", own.place(""), "", message, "give the file another name")


def _unused(settled: list[Own], ours: Mapping[Identity, Document], allowed: Collection[str]) -> list[str]:
    known = {document.address: name for name, document in ours.items()}
    used = {own.address for own in settled if own.replaces}
    return [_unknown(address, known) for address in allowed if address not in used]


def _unknown(address: str, known: Mapping[str, Identity]) -> str:
    if address in known:
        _, kind, namespace, name = known[address]
        title = f"{kind} {f'{namespace}/' if namespace else ''}{name}"
        return f"replace {address}: no document of {FOLDER}/ is {title}.\n    fix: add one, or leave the word out"
    from difflib import get_close_matches

    near = get_close_matches(address, known, n=1, cutoff=0.7)
    hint = f"did you mean {near[0]}?" if near else "`hardway explain --list manifest/` lists what can be replaced"
    return f"replace {address}: hardway makes no such manifest.\n    fix: {hint}"
