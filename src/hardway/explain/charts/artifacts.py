"""What a build makes: assets, the fields and flags of documents, files and units of nodes; and the user's fields."""

from __future__ import annotations

from collections.abc import Iterator

from hardway.explain.entry import Entry
from hardway.workspace import catalogue
from hardway.workspace.folder import Workspace


def assets(workspace: Workspace) -> Iterator[Entry]:
    return (Entry(address=address, why=asset.why) for address, asset in workspace.graph.items())


def fields(workspace: Workspace) -> Iterator[Entry]:
    from hardway.model.config.load import FIELDS

    for document in catalogue.documents(workspace.loaded.cluster):
        for name, why in document.fields.items():
            yield Entry(address=f"field/{document.file}#{name}", why=why.within(document.why))
    yield from (Entry(address=row.address, why=row.why) for row in FIELDS)


def flags(workspace: Workspace) -> Iterator[Entry]:
    for document in catalogue.documents(workspace.loaded.cluster):
        pod = document.address.rsplit("/", 1)[-1]
        for name, why in document.flags.items():
            yield Entry(address=f"flag/{pod}/{name}", why=why.within(document.why))


def node_files(workspace: Workspace) -> Iterator[Entry]:
    """Files and units of nodes."""
    found = catalogue.node_reasons(workspace.loaded.cluster, crds=workspace.crds, base=workspace.base)
    return (Entry(address=address, why=why) for address, why in found.items())
