"""From an entry of the atlas to an explanation: its place in the folder and in the graph."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from hardway.explain import atlas
from hardway.explain.entry import Entry, Explanation
from hardway.workspace.folder import Workspace


def explain_address(workspace: Workspace, address: str) -> Explanation:
    """Of an address that is known."""
    found = {entry.address: entry for entry in atlas.entries(workspace, [atlas.kind_of(address)])}
    return explain_entry(workspace, found[address])


def explain_entry(workspace: Workspace, entry: Entry) -> Explanation:
    return _explanation(workspace, entry, _users(workspace))


def explain_all(workspace: Workspace) -> Iterator[Explanation]:
    """Every address there is."""
    users = _users(workspace)
    return (_explanation(workspace, entry, users) for entry in atlas.entries(workspace))


def _users(workspace: Workspace) -> dict[str, list[str]]:
    """What each asset goes into."""
    found: dict[str, list[str]] = defaultdict(list)
    for address, asset in workspace.graph.items():
        for need in asset.needs:
            found[need].append(address)
    return found


def _explanation(workspace: Workspace, entry: Entry, users: Mapping[str, Sequence[str]]) -> Explanation:
    asset = workspace.graph.get(entry.address)
    return Explanation(
        address=entry.address,
        why=entry.why,
        facts=tuple((label, text) for label, text in entry.facts if text),
        path=asset.path if asset else "",
        family=_family(entry.address),
        needs=asset.needs if asset else (),
        used_by=tuple(users.get(entry.address, ())),
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
