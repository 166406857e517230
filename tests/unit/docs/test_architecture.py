"""The page on the architecture tells of every package, and of what there is."""

from __future__ import annotations

import re
from pathlib import Path

from hardway.explain.architecture.imports import SOURCE
from hardway.explain.architecture.layers import LEVEL

PAGE = (Path(__file__).parents[3] / "docs" / "architecture.md").read_text()
NAMED = set(re.findall(r"`([a-z0-9_]+(?:/[a-z0-9_]+)*(?:/|\.py)?)`", PAGE))


def test_every_package_is_named():
    assert set(LEVEL) - {name.split("/")[0] for name in NAMED} == set()


def test_what_is_named_is_there():
    named = {name for name in NAMED if "/" in name and not name.startswith(("tests/", "src/"))}
    assert len(named) > 40
    assert [name for name in sorted(named) if not (SOURCE / name).exists()] == []
