"""Markdown out of tables. `python -m hardway.explain.markdown FOLDER` writes the reference."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(_cell(c) for c in line) + " |" for line in lines)


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())


def code(text: str) -> str:
    return f"`{text}`" if text else ""


def codes(texts: Iterable[str]) -> str:
    return ", ".join(code(t) for t in texts)


def section(title: str, *parts: str) -> str:
    return "\n\n".join([f"## {title}", *(p for p in parts if p)])


def page(title: str, *parts: str) -> str:
    return "\n\n".join([f"# {title}", *(p for p in parts if p)]) + "\n"


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
