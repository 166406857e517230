"""Every rule that is printed has its reason, and a line in the guide."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

from hardway.model.own.reasons import REASONS, Rule

GUIDE = Path(__file__).parents[4] / "docs" / "guide" / "own-manifests.md"


def test_every_rule_has_a_whole_reason():
    """That no other name is printed is for the checker of types: `Source.problem` takes a `Rule`."""
    assert list(REASONS) == list(get_args(Rule))
    assert [name for name, why in REASONS.items() if not all((why.what, why.readers, why.breaks, why.source))] == []


def test_the_guide_lists_every_rule():
    rows = [line.split("|")[1] for line in GUIDE.read_text().splitlines() if line.startswith("| `own.")]
    listed = [name for row in rows for name in re.findall(r"`own\.([a-z-]+)`", row)]
    assert sorted(listed) == sorted(REASONS)
