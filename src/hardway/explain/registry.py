"""Every address of a folder's cluster and its reason."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches

from hardway.emit.document import Document
from hardway.model.errors import ConfigError
from hardway.model.why import Why
from hardway.pki import certs
from hardway.pki.row import FAMILIES
from hardway.stages.table import find as find_stage
from hardway.workspace.folder import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    address: str
    why: Why
    path: str = ""  # below the assets folder
    family: str = ""  # of a certificate: which of the six it belongs to, and what that one is
    needs: tuple[str, ...] = ()
    used_by: tuple[str, ...] = ()


def documents(workspace: Workspace) -> tuple[Document, ...]:
    """Every YAML document of the folder's cluster, with the reasons of its fields."""
    from hardway.kubeconfigs import render
    from hardway.manifests import assets as manifests
    from hardway.plan.document import PLAN
    from hardway.staticpods import pods

    cluster = workspace.loaded.cluster
    return (PLAN, *render.documents(), *pods.documents(cluster), *manifests.documents(cluster))


def reasons(workspace: Workspace) -> dict[str, Why]:
    """All of them, by address."""
    return dict(_all(workspace))


def _all(workspace: Workspace) -> Iterator[tuple[str, Why]]:
    from hardway.checks import failures
    from hardway.checks.files.table import TABLE as CHECKS
    from hardway.ignition import reasons as ignition
    from hardway.model.config.load import FIELDS
    from hardway.stages.table import TABLE as STAGES

    yield from ((address, asset.why) for address, asset in workspace.graph.items())
    for document in documents(workspace):
        yield from _fields(document)
    yield from ignition.reasons(workspace.loaded.cluster, crds=workspace.crds, base=workspace.base).items()
    yield from ((row.address, row.why) for row in FIELDS)
    yield from ((check.address, check.why) for check in CHECKS)
    yield from ((stage.address, stage.why) for stage in STAGES)
    yield from ((row.address, row.why) for row in failures.TABLE)


def _fields(document: Document) -> Iterator[tuple[str, Why]]:
    for name, why in document.fields.items():
        yield f"field/{document.file}#{name}", why.within(document.why)
    pod = document.address.rsplit("/", 1)[-1]
    for name, why in document.flags.items():
        yield f"flag/{pod}/{name}", why.within(document.why)


def find(workspace: Workspace, name: str) -> Explanation | None:
    """What has this address, in full or in short (F08, stage/05); None if the name must be a file's."""
    address = _in_full(name)
    known = reasons(workspace)
    if address in known:
        return _explanation(workspace, address, known[address])
    kinds = {known_address.split("/", 1)[0] for known_address in known}
    if address.split("/", 1)[0] not in kinds or (workspace.folder / name).exists():
        return None
    near = get_close_matches(address, known, n=3, cutoff=0.7)
    hint = f"did you mean {' or '.join(near)}?" if near else "`hardway graph -o text` lists addresses"
    raise ConfigError(f"there is nothing called {name}.\n    fix: {hint}")


def _in_full(name: str) -> str:
    if re.fullmatch(r"F\d\d", name):
        return f"failure/{name}"
    return find_stage(name).address if re.fullmatch(r"stage/\d\d?", name) else name


def explain_address(workspace: Workspace, address: str) -> Explanation:
    return _explanation(workspace, address, reasons(workspace)[address])


def _explanation(workspace: Workspace, address: str, why: Why) -> Explanation:
    asset = workspace.graph.get(address)
    used_by = tuple(a for a, other in workspace.graph.items() if address in other.needs) if asset else ()
    return Explanation(
        address=address,
        why=why,
        path=asset.path if asset else "",
        family=_family(address),
        needs=asset.needs if asset else (),
        used_by=used_by,
    )


def _family(address: str) -> str:
    """The family of a certificate or its key; one of a node is its row's."""
    kind, _, name = address.partition("/")
    rows = [r for r in certs.TABLE if name == r.name or (r.per_etcd_node and name.startswith(f"{r.name}-"))]
    row = max(rows, key=lambda r: len(r.name), default=None) if kind in ("cert", "key") else None
    return f"{row.family}: {FAMILIES[row.family]}" if row else ""
