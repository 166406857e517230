"""The glossary's terms."""

from __future__ import annotations

from collections.abc import Iterator

from hardway.explain.entry import Entry
from hardway.explain.glossary import TERMS
from hardway.model.why import because
from hardway.workspace.folder import Workspace


def terms(workspace: Workspace) -> Iterator[Entry]:
    for term in TERMS:
        why = because(f"{term.name}: {term.meaning}")
        yield Entry(address=term.address, why=why, facts=(("see also", ", ".join(term.also)),))
