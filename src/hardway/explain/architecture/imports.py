"""Which packages import which, read from the source."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import hardway

SOURCE = Path(hardway.__file__).parent

Imports = Mapping[str, frozenset[str]]


def modules() -> list[Path]:
    """Every module that is in a package."""
    return sorted(path for path in SOURCE.rglob("*.py") if path.parent != SOURCE)


def package(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0]


@cache
def imported(path: Path) -> frozenset[str]:
    """Names of modules, and of what is taken from them."""
    found: set[str] = set()
    for node in _statements(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return frozenset(found)


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """With those inside them; what they compute is passed over, which is most of a module."""
    yield node
    for part in ("body", "orelse", "handlers", "finalbody", "cases"):
        for inner in getattr(node, part, ()):
            yield from _statements(inner)


def packages() -> Imports:
    """Each package with the others that it imports."""
    names = {package(path) for path in modules()}
    found: dict[str, set[str]] = defaultdict(set)
    for path in modules():
        used = {name.split(".")[1] for name in imported(path) if name.startswith("hardway.")}
        found[package(path)] |= used & names - {package(path)}
    return {name: frozenset(found[name]) for name in sorted(names)}


def direct(imports: Imports) -> Imports:
    """Without those that follow: a package that is reached through another one is left out. There are no circles."""

    @cache
    def below(name: str) -> frozenset[str]:
        return frozenset().union(*({other} | below(other) for other in imports[name]))

    return {
        name: frozenset(other for other in others if not any(other in below(step) for step in others))
        for name, others in imports.items()
    }
