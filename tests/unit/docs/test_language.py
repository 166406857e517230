"""Pages for users have the field's own words, and sentences that begin with their subject."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGES = [
    *(
        ROOT / name
        for name in ("README.md", "CONTRIBUTING.md", "docs/history.md", "docs/glossary.md", "docs/package.md")
    ),
    *sorted((ROOT / "docs" / "guide").glob("*.md")),
]
INSTEAD = {
    r"\bto be had\b": "available, can be built",
    r"\bhangs? on\b": "depends on, derived from",
    r"\bmend(?:ed|s)?\b": "fix, repair",
    r"\b(?:the|its|four|two|three|all|default) faces?\b": "serving certificate",
    r"\bnever stops asking\b": "availability",
    r"\bbelieves?\b": "trusts",
    r"\bwas laid\b|\bis laid\b|\bare laid\b": "written",
    r"\bwithout a word\b": "without a message",
    r"\bfor want of\b": "because of a missing",
    r"\bgear\b": "servers",
    r"\bsays no\b": "refuses, answers no",
    r"\btakes? up where\b": "continues where",
    r"\bput(?:s|ting)? right\b": "corrects",
    r"\bwill suffer\b": "effect",
    r"\bminted\b": "created",
    r"\banew\b": "again",
    r"\bfor ever\b": "without end",
    r"\bin vain\b": "without end, without a result",
    r"\bgo(?:es)? on\b": "continue",
    r"\bliving\b": "running",
}


def prose(page: Path) -> str:
    """Without what programs print."""
    return re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_no_word_of_our_own_where_the_field_has_one(page: Path) -> None:
    text = " ".join(prose(page).split())
    found = {
        text[max(0, m.start() - 40) : m.end() + 20]: INSTEAD[word] for word in INSTEAD for m in re.finditer(word, text)
    }
    assert found == {}


def test_the_words_are_found() -> None:
    text = "no operator is to be had; the default face; what hangs on it; its file was laid; he believes it"
    assert [bool(re.search(word, text)) for word in INSTEAD].count(True) == 5


@pytest.mark.parametrize(
    ("page", "sentence"),
    [
        ("01-prerequisites.md", "They fail an hour later, on another machine, with a message about something else."),
        ("05-pki.md", "Whoever steals the key of an etcd member can talk to etcd, and is nobody to the API server."),
        ("12-control-plane.md", "The step from one to two is the dangerous one"),
        ("13-pivot.md", "| why not earlier | why not later |"),
    ],
)
def test_the_best_sentences_stay(page: str, sentence: str) -> None:
    assert sentence in " ".join((ROOT / "docs" / "guide" / page).read_text().split())
