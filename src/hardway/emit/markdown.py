"""Markdown out of rows and texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


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
