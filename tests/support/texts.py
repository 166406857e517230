"""The strings of a module, as whoever runs the program reads them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import hardway

SOURCE = Path(hardway.__file__).parent
FILLED_IN = "…"


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    place: str
    words: str  # with FILLED_IN for each value of an f-string
    shown: bool  # to users, and not only to readers of the module


def texts(path: Path) -> Iterator[Text]:
    documentation: set[int] = set()
    parts: set[int] = set()
    for node in ast.walk(ast.parse(path.read_text())):  # from the outside to the inside
        documentation |= _documentation(node)
        if isinstance(node, ast.JoinedStr):
            parts |= {id(part) for part in node.values}
            words = "".join(str(p.value) if isinstance(p, ast.Constant) else FILLED_IN for p in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts:
            words = node.value
        else:
            continue
        place = f"{path.relative_to(SOURCE)}:{node.lineno}"
        yield Text(place=place, words=words, shown=id(node) not in documentation)


def _documentation(node: ast.AST) -> set[int]:
    """The strings that stand alone, but for the help of a command."""
    body = getattr(node, "body", None)
    if not isinstance(body, list):
        return set()
    alone = [statement for statement in body if isinstance(statement, ast.Expr)]
    if isinstance(node, ast.FunctionDef) and body[0] in alone and _is_command(node):
        alone.remove(body[0])
    return {id(statement.value) for statement in alone}


def _is_command(function: ast.FunctionDef) -> bool:
    return any(re.search("command|group", ast.unparse(decorator)) for decorator in function.decorator_list)
