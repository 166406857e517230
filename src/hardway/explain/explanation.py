"""An explanation: an entry of the atlas, with its place in the folder and in the graph."""

from __future__ import annotations

from dataclasses import dataclass

from hardway.explain import atlas
from hardway.explain.entry import Entry
from hardway.model.why import Why
from hardway.workspace.folder import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    address: str
    why: Why
    facts: tuple[tuple[str, str], ...] = ()
    path: str = ""  # below the assets folder
    family: str = ""  # of a certificate: which of the six it belongs to, and what that one is
    needs: tuple[str, ...] = ()
    used_by: tuple[str, ...] = ()


def explain_address(workspace: Workspace, address: str) -> Explanation:
    """Of an address that is known."""
    found = {entry.address: entry for entry in atlas.entries(workspace, [atlas.kind_of(address)])}
    return explain_entry(workspace, found[address])


def explain_entry(workspace: Workspace, entry: Entry) -> Explanation:
    address = entry.address
    asset = workspace.graph.get(address)
    used_by = tuple(a for a, other in workspace.graph.items() if address in other.needs) if asset else ()
    return Explanation(
        address=address,
        why=entry.why,
        facts=tuple((label, text) for label, text in entry.facts if text),
        path=asset.path if asset else "",
        family=_family(address),
        needs=asset.needs if asset else (),
        used_by=used_by,
    )


def _family(address: str) -> str:
    """The family of a certificate or its key; one of a node is its row's."""
    kind, _, name = address.partition("/")
    if kind not in ("cert", "key"):
        return ""
    from hardway.pki import families
    from hardway.pki.row import FAMILIES

    rows = [r for r in families.TABLE if name == r.name or (r.per_etcd_node and name.startswith(f"{r.name}-"))]
    row = max(rows, key=lambda r: len(r.name), default=None)
    return f"{row.family}: {FAMILIES[row.family]}" if row else ""
