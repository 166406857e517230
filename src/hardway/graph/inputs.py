"""What an asset is made of, as the record names it."""

from __future__ import annotations

CODE = "code"
PARAMS = "params"
CLUSTER = "cluster."
NEED = "need:"
CONFIGURED = " changed in the configuration"


def in_words(name: str) -> str:
    """Why a change of this input makes an asset stale."""
    if name == CODE:
        return "hardway itself changed"
    if name == PARAMS:
        return "content changed"
    if name.startswith(CLUSTER):
        return f"{name.removeprefix(CLUSTER).replace('_', ' ')}{CONFIGURED}"
    return f"{name.removeprefix(NEED)} changed"
