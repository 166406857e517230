"""Text for users is plain technical English: no string of the program has a phrase of the list below.

The list is of phrases that were found to be inverted, to be riddles, or to be home-made words for standard terms."""

from __future__ import annotations

import re

import pytest

from tests.support.texts import SOURCE, texts

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
    r"\bsuffers?\b": "effect, is affected by",
    r"\bis made before it\b": "name the input: made from …",
    r"\b(for|takes) the road `": "`road: NAME`, and what it means",
    r"\bnothing that lasts\b|^nothing (here|at run time|today)$": "no effect, and why",
    r"^(nobody knows|it fails late|it stays|they crash|it updates|deadlock|401|403 or too much)$": "a clause",
    r"^(no API|no address|not found|it never grows|they create their own|console waits)$": "a clause",
    r"\bas itself\b(?! and)": "with its own identity",
    r"\bstarves? each other\b": "get too little processor time",
    r"\bfalls off the network\b": "loses its network",
    r"\bno living\b": "no running",
    r"\bnowhere to put\b|\bis no place for\b": "say what cannot run",
    r"\bto hold beside\b": "say what it lists",
    r"\bthat it is about\b": "name the subject",
    r"\bhas no line that says\b": "no line shows that",
    r"\b[Ff]ind out which it is\b": "find the cause",
    r"^failure modes( of|[,;])": "the source",
}


ANY = re.compile("|".join(PHRASES))


def found(text: str) -> list[str]:
    flat = " ".join(text.split())
    if not ANY.search(flat):
        return []
    return [f"{match[0]!r}: write {better}" for phrase, better in PHRASES.items() if (match := re.search(phrase, flat))]


def test_no_string_has_a_phrase_of_the_list():
    shown = [text for path in sorted(SOURCE.rglob("*.py")) for text in texts(path) if text.shown]
    assert len(shown) > 10_000
    assert [f"{text.place}: {phrase}" for text in shown for phrase in found(text.words)] == []


@pytest.mark.parametrize(
    ("text", "better"),
    [
        ("no version is to be had as a Go module", "is (not) available"),
        ("replaces a key and all that\n    hangs on it", "is derived from"),
        ("data is not the table's", "matches (differs from) the table"),
        ("nothing that lasts: the operator makes it", "no effect, and why"),
        ("they crash", "a clause"),
        ("key/root-ca is made before it", "name the input: made from …"),
    ],
)
def test_a_phrase_of_the_list_is_found(text, better):
    assert [line.rpartition("write ")[2] for line in found(text)] == [better]
