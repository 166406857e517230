"""What a line of the user's files may decide: whatever is made for one cluster."""

from __future__ import annotations

from hardway.explain.entry import Explanation
from hardway.workspace.names import HOSTS, INSTALL_CONFIG, SETTINGS, YOURS

ASSETS = ("cert", "key", "pub", "bundle", "id", "password", "hash", "kubeconfig", "plan", "metadata", "pod", "manifest")
MADE = frozenset((*ASSETS, "ignition", "flag", "field", "file", "unit", "record", "port"))
OWN = (INSTALL_CONFIG, HOSTS, SETTINGS)


def has_origin(found: Explanation) -> bool:
    """What the user wrote has none: it is what decides. A file without a node is about the build itself."""
    kind, _, name = found.address.partition("/")
    own = name.startswith(OWN) or found.why.source.startswith(f"{YOURS}/")
    return kind in MADE and not own and (kind != "file" or ":" in name)
