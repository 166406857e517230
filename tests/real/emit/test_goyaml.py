"""Our writer against Go's own, text by text."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from hardway.emit import goyaml
from tests.support.go import writer as go_writer

PLAIN_OR_NOT = """
y No on TRUE null ~ 1 01 0x1f 0o7 1e3 .5 1_000 12:30 2001-12-14 2001-12-14T21:59:43Z -.inf # #x * 'q' "q" a: - -a ---
ssh-ed25519 10.0.0.0/8 fd00::/8 word é 漢 \\ { 😀 << = ? @ %
"""
WORDS = st.sampled_from([*PLAIN_OR_NOT.split(), "", " ", "\t", "a: b", "a" * 90])
TEXTS = st.one_of(
    WORDS,
    st.lists(WORDS, max_size=20).map(" ".join),
    st.lists(WORDS, max_size=6).map("\n".join),
    st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), max_size=120),
)
KEYS = st.from_regex(r"[a-z./-]{1,30}", fullmatch=True)
"""No digits: with them Go's order of keys has circles, and changes from run to run."""
VALUES = st.recursive(
    st.one_of(TEXTS, st.none(), st.booleans(), st.integers(-(2**31), 2**31)),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(KEYS, inner, max_size=4)),
    max_leaves=6,
)


@settings(max_examples=100)
@given(st.lists(st.dictionaries(KEYS, VALUES, min_size=1, max_size=5), min_size=1, max_size=4))
def test_documents_are_written_byte_for_byte_as_go_writes_them(documents):
    assert [goyaml.dump(document) for document in documents] == go_writer.write(documents)


def test_keys_are_ordered_as_go_orders_them():
    keys = ["b", "B", "a-b", "a/b", "a.b", "a10", "a9", "a09", "_", "10", "9", "z", "é", "yes", "null"]
    document = dict.fromkeys(keys, "")
    assert [goyaml.dump(document)] == go_writer.write([document])
