"""Where this program keeps what it can make or fetch again."""

from __future__ import annotations

import os
from pathlib import Path


def cache_home() -> Path:
    """The project's folder in the user's cache."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "hardway"
