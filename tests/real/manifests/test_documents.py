"""The manifests' text, read by Go's reader."""

from __future__ import annotations

import pytest
import yaml

from hardway.emit.document import render
from tests.support.go import reader as go_reader
from tests.support.manifests import configured


@pytest.mark.parametrize("name", ["default", "proxy", "trust", "custom", "fips"])
@pytest.mark.parametrize("comments", ["none", "short", "full"])
def test_the_text_says_what_the_body_says_to_both_readers(name, comments):
    made = configured(name)
    expected = [document.body(made.given(document.address)) for document in made.documents]
    texts = [render(d, body, comments).decode() for d, body in zip(made.documents, expected, strict=True)]
    assert [yaml.safe_load(text) for text in texts] == expected
    assert go_reader.read(texts) == expected
