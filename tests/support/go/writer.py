"""Go's own YAML writer, the one that openshift-install uses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.support.go.programs import ask


def write(documents: Sequence[Any]) -> list[str]:
    """Each document as YAML."""
    return ask("gowriter", documents)
