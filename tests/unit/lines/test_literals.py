"""No version of a line is written outside of the lines: what is said of one is asked of it."""

from __future__ import annotations

import re
from pathlib import Path

import hardway
from hardway.lines.find import known_lines

SOURCE = Path(hardway.__file__).parent
PINS = "labrelease/modules"  # go.mod and go.sum of what the lab's release is compiled from
ALLOWED: frozenset[str] = frozenset()  # files, each with a comment that says why it cannot ask the line


def literals(root: Path) -> list[str]:
    """Where a line's version is written, of OpenShift or of its Kubernetes: as 4.18, 418 and 1.31."""
    words = {word for line in known_lines() for word in (line.minor, line.minor.replace(".", ""), line.kubernetes)}
    pattern = re.compile(r"(?<![\d.])(?:" + "|".join(map(re.escape, sorted(words))) + r")(?!\d)")
    return [
        f"{name}:{number}: {line.strip()}"
        for name, path in sorted((str(p.relative_to(root)), p) for p in root.rglob("*") if p.is_file())
        if not name.startswith(("lines/", PINS)) and "__pycache__" not in name and name not in ALLOWED
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if pattern.search(line)
    ]


def test_no_version_outside_of_the_lines():
    assert literals(SOURCE) == []


def test_one_that_is_written_is_found(tmp_path):
    (tmp_path / "lines").mkdir()
    (tmp_path / "lines/row.py").write_text('MINOR = "4.18"\n')
    texts = (
        'FIX = "use 4.18.7"',
        "# release-4.18",
        "NOT_IN_418 = {}",
        'KUBECTL = "v1.31.3"',
        "PORT = 4180",
        "x = 11.31",
    )
    (tmp_path / "row.py").write_text("\n".join(texts))
    assert literals(tmp_path) == [
        'row.py:1: FIX = "use 4.18.7"',
        "row.py:2: # release-4.18",
        "row.py:3: NOT_IN_418 = {}",
        'row.py:4: KUBECTL = "v1.31.3"',
    ]
