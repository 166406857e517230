"""Kubernetes' own YAML reader, as a second opinion on every document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.support.go.programs import ask


def read(texts: Sequence[str]) -> list[Any]:
    return ask("goyaml", texts)
