"""A made-up release line beside the real ones: a folder, and nothing else."""

from __future__ import annotations

import importlib
import json
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hardway import lines
from hardway.lines.default import DEFAULT
from hardway.lines.line import folder_of

MINOR, KUBERNETES = "4.99", "1.99"
CAPABILITY, GATE = "MadeUpPart", "MadeUpGate"


def write(parent: Path) -> None:
    """The default line's folder under another name, with a capability, a gate and versions of its own."""
    theirs, ours = folder_of(DEFAULT.minor), folder_of(MINOR)
    folder = parent / ours
    shutil.copytree(Path(lines.__path__[0]) / theirs, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for path in folder.glob("*.py"):
        text = path.read_text().replace(theirs, ours).replace(f'"{DEFAULT.kubernetes}"', f'"{KUBERNETES}"')
        path.write_text(text.replace(f'"{DEFAULT.minor}', f'"{MINOR}'))
    _change(folder / "__init__.py", 'written="3.2.0"', 'written="3.4.0"')
    _change(folder / "__init__.py", f'"v{DEFAULT.minor}": (', f'"v{MINOR}": ("{CAPABILITY}", ')
    _change(folder / "__init__.py", "GATES = (", f'GATES = (\n    Gate(name="{GATE}", api="made.up/v1"),')
    gates = json.loads((folder / "feature-gates.json").read_text())
    gates["Default"]["enabled"].append(GATE)
    (folder / "feature-gates.json").write_text(json.dumps(gates))
    _change(folder / "images.json", DEFAULT.release, f"{MINOR}.0")


def _change(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text, f"{path} has no {old}"
    path.write_text(text.replace(old, new))


@contextmanager
def added(parent: Path) -> Iterator[None]:
    """The line is found as long as this lasts: a package may have its modules in several folders."""
    write(parent)
    lines.__path__.append(str(parent))
    importlib.invalidate_caches()
    try:
        yield
    finally:
        lines.__path__.remove(str(parent))
        for name in [name for name in sys.modules if name.startswith(f"{lines.__name__}.{folder_of(MINOR)}")]:
            del sys.modules[name]
        importlib.invalidate_caches()
