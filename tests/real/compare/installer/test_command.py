"""hardway compare-installer, with keys that are made for it."""

from __future__ import annotations

import json

from tests.support.hardway_program import hardway
from tests.support.references import WHOLE


def test_every_difference_is_explained_and_nothing_is_written(tmp_path):
    done = hardway("compare-installer", WHOLE["3+2"], "-o", "json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["expected"]
    assert report["unexplained"] == []
    assert list(tmp_path.iterdir()) == []
