"""Text for users is plain technical English: no string of the program has a phrase of the list below.

The list is of phrases that were found to be inverted, to be riddles, or to be home-made words for standard terms."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import hardway

SOURCE = Path(hardway.__file__).parent
PHRASES = {
    r"\b(is|are|not) to be had\b|\bcannot be had\b|\bcan be had\b": "is (not) available",
    r"\bhangs? on (it|them|the)\b": "is derived from",
    r"\bmend(s|ed|ing)?\b": "fix, correct",
    r"\bwhom\b": "name the party: which CA, which client",
    r"\bwhoever\b": "anyone who, every client that",
    r"\bsomebody\b": "name the party",
    r"\bin vain\b": "without a result",
    r"\bha(s|ve) to say\b": "content, message",
    r"\bof its own accord\b": "by default",
    r"\bnobody is left\b|\bnobody is there\b|\bask nobody\b": "say what is missing",
    r"\bsees? to (it|that)\b": "check, give permission",
    r"\banew\b": "again",
    r"\btakes? (it|them|that) for\b|\bis taken for\b": "treats as, reads as",
    r"\bfaces? of\b|\bits face\b|\bdefault face\b|\bthree faces\b": "serving certificate",
    r"\bgoes on (where|without|answering|serving)\b|\bto go on\b|\bgoing on\b": "continues",
    r"\b(machine|host|node|masters?) can(not)? carry\b": "can run",
    r"\bbelieves?\b": "trusts, accepts",
    r"\bmints?\b": "creates",
    r"\bfor ever\b": "without end, permanently",
    r"\bspeaks? (TLS|plain)\b": "uses",
    r"\bis the table's\b|\bare the table's\b|\bnot the table's\b": "matches (differs from) the table",
    r"\bnone of its business\b": "not needed",
    r"\bthe one for itself\b|\bone stage for itself\b": "alone",
    r"\bits why\b": "its purpose",
    r"\bthe permission to go on\b|\blearns, votes and counts\b": "say what happens",
    r"\bnever stops asking\b|\bwhat it counted\b": "availability, probes",
    r"\bends first; install before\b": "expires then",
}


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """Strings of a module, without those that only its readers see."""
    tree = ast.parse(path.read_text())
    unseen: set[int] = set()
    for node in ast.walk(tree):
        body = getattr(node, "body", [])
        for number, statement in enumerate(body if isinstance(body, list) else []):
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                shown = number == 0 and isinstance(node, ast.FunctionDef) and _is_command(node)
                unseen |= set() if shown else {id(statement.value)}
        if isinstance(node, ast.JoinedStr):
            unseen |= {id(part) for part in node.values}
            yield node.lineno, "".join(str(p.value) if isinstance(p, ast.Constant) else "…" for p in node.values)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in unseen:
            yield node.lineno, node.value


def _is_command(function: ast.FunctionDef) -> bool:
    return any(re.search("command|group", ast.unparse(decorator)) for decorator in function.decorator_list)


def found(text: str) -> list[str]:
    flat = " ".join(text.split())
    return [f"{match[0]!r}: write {better}" for phrase, better in PHRASES.items() if (match := re.search(phrase, flat))]


@pytest.mark.parametrize("package", sorted(path.name for path in SOURCE.iterdir() if path.is_dir()))
def test_no_string_has_a_phrase_of_the_list(package):
    wrong = [
        f"{path.relative_to(SOURCE)}:{line}: {phrase}"
        for path in sorted((SOURCE / package).rglob("*.py"))
        for line, text in texts(path)
        for phrase in found(text)
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "better"),
    [
        ("no version is to be had as a Go module", "is (not) available"),
        ("replaces a key and all that\n    hangs on it", "is derived from"),
        ("data is not the table's", "matches (differs from) the table"),
    ],
)
def test_a_phrase_of_the_list_is_found(text, better):
    assert [line.rpartition("write ")[2] for line in found(text)] == [better]
