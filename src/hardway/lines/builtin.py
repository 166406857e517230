"""The built-in release, by its version alone: for help texts, which must not cost the import of a line."""

from __future__ import annotations

RELEASE = "4.18.0"
MINOR = RELEASE.rpartition(".")[0]
