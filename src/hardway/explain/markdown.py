"""The reference, out of the tables: `python -m hardway.explain.markdown FOLDER` writes it."""

from __future__ import annotations

import sys
from pathlib import Path


def write(folder: Path) -> None:
    """Write every page, and remove pages that are no longer made."""
    from hardway.explain.pages import default_cluster, pages

    made = pages(default_cluster())
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.md"):
        if old.name not in made:
            old.unlink()
    for name, text in made.items():
        (folder / name).write_text(text)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
