"""The chapters of the guide, as they are written. In the repository they are in docs/guide."""

from __future__ import annotations

from importlib.resources import files

INDEX = "README"


def chapters() -> dict[str, str]:
    """The text of every chapter by its name, in order."""
    return {name: text for name, text in everything().items() if name != INDEX}


def everything() -> dict[str, str]:
    """The chapters, and the page that lists them."""
    found = {path.name.removesuffix(".md"): path for path in files("hardway").joinpath("guide").iterdir()}
    return {name: found[name].read_text(encoding="utf-8") for name in sorted(found)}


def heading(text: str) -> str:
    return text.splitlines()[0].lstrip("# ")
