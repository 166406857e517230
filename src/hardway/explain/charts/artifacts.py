"""What a build makes: assets, the fields and flags of documents, files and units of nodes; and the user's fields."""

from __future__ import annotations

from collections.abc import Iterator

from hardway.explain.entry import Entry
from hardway.graph.asset import Asset
from hardway.ignition import bootstrap
from hardway.manifests.machines import CONTROLLER_KINDS
from hardway.model.own.document import Own
from hardway.workspace import catalogue
from hardway.workspace.folder import Workspace


def assets(workspace: Workspace) -> Iterator[Entry]:
    own = {document.address: document for document in workspace.loaded.cluster.own}
    for address, asset in workspace.graph.items():
        mode = f"{asset.mode:04o}: only the user who built can read it" if address.startswith("key/") else ""
        facts = _of_own(own[address], asset) if address in own else (("mode", mode),)
        yield Entry(address=address, why=asset.why, facts=facts)


def _of_own(own: Own, asset: Asset) -> tuple[tuple[str, str], ...]:
    """Where a document of the user's goes."""
    [embedded] = bootstrap.embedded([asset])
    return ("MCO takes", CONTROLLER_KINDS.get(own.kind, "")), ("on the node", bootstrap.place(embedded))


def fields(workspace: Workspace) -> Iterator[Entry]:
    from hardway.labrelease.checkouts.described import ROWS
    from hardway.model.config.load import FIELDS

    for document in catalogue.documents(workspace.loaded.cluster):
        for name, why in document.fields.items():
            yield Entry(address=f"field/{document.file}#{name}", why=why.within(document.why))
    yield from (Entry(address=row.address, why=row.why) for row in (*FIELDS, *ROWS))


def flags(workspace: Workspace) -> Iterator[Entry]:
    for document in catalogue.documents(workspace.loaded.cluster):
        pod = document.address.rsplit("/", 1)[-1]
        for name, why in document.flags.items():
            yield Entry(address=f"flag/{pod}/{name}", why=why.within(document.why))


def node_files(workspace: Workspace) -> Iterator[Entry]:
    """Files and units of nodes."""
    found = catalogue.node_reasons(workspace.loaded.cluster, crds=workspace.crds, base=workspace.base)
    return (Entry(address=address, why=why) for address, why in found.items())
