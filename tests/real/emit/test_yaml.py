"""What is written is what Go's reader reads."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from hardway.emit import yaml
from tests.support.go import reader as go_reader
from tests.unit.emit.test_yaml import DOCUMENTS, TRAPS


def test_a_string_stays_a_string_as_value_and_as_key():
    documents = [{"value": text, "list": [text, {text: text}]} for text in TRAPS]
    assert go_reader.read([yaml.dump(document) for document in documents]) == documents


@settings(max_examples=30)
@given(st.lists(DOCUMENTS, min_size=20, max_size=40))
def test_any_document_comes_back_from_go(documents):
    assert go_reader.read([yaml.dump(d) for d in documents]) == documents
