"""What is written is what a reader reads."""

from __future__ import annotations

import pytest
import yaml as pyyaml
from hypothesis import given
from hypothesis import strategies as st

from hardway.emit import yaml

# Strings that some reader of YAML 1.1 or 1.2 takes for something else when they stand without quotes.
WORDS = "y n Y N yes no Yes NO on off On OFF true false True FALSE null Null NULL ~ none nan inf"
NUMBERS = "1e3 0o750 0750 0x1f 1_000 190:20:30 12:30 1.5 .5 -1 +1 .inf -.INF .NaN 2025-01-01 0b1 1:2"
MARKS = (
    "- -- --- ... ? : # [a] {a} *a &a !a @a %a `a 'a' \"a\" = << a,b ::1 fd00::1 10.0.0.0/8 --flag=value https://a:1"
)
OTHERS = ["", " ", "a: b", "a #b", "- a", "a\tb", "a\nb", "a\n", "\na", " a\nb\n", "a\n\n", "a \nb", "key: |", "a\r\nb"]
UNICODE = ["é", "\x85", "\u2028", "\ufeffa", "😀"]
TRAPS = [*WORDS.split(), *NUMBERS.split(), *MARKS.split(), *OTHERS, *UNICODE]
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**40), 2**40),
    st.text(),
    st.sampled_from(TRAPS),
    st.text("0123456789_:.eExXo+-"),
)
DOCUMENTS = st.dictionaries(
    st.one_of(st.text(min_size=1), st.sampled_from(TRAPS)),
    st.recursive(
        SCALARS,
        lambda inner: st.one_of(
            st.lists(st.one_of(SCALARS, st.dictionaries(st.text(), inner, max_size=3)), max_size=3),
            st.dictionaries(st.text(), inner, max_size=3),
        ),
        max_leaves=12,
    ),
    max_size=4,
)


@pytest.mark.parametrize("text", TRAPS)
def test_a_string_stays_a_string_as_value_and_as_key(text):
    document = {"value": text, "list": [text, {text: text}]}
    assert pyyaml.safe_load(yaml.dump(document)) == document


@given(DOCUMENTS)
def test_any_document_comes_back_from_python(document):
    assert pyyaml.safe_load(yaml.dump(document)) == document


@given(DOCUMENTS)
def test_comments_change_nothing(document):
    def remark(path, value):
        return ["why: [not: yaml", "second line # of it"]

    assert pyyaml.safe_load(yaml.dump(document, remark)) == document


def test_a_comment_stands_at_the_depth_of_its_value():
    written = yaml.dump({"a": {"b": [{"c": 1, "d": 2}]}}, lambda path, value: [f"at {len(path)}"] if path else [])
    assert written == ("# at 1\na:\n  # at 2\n  b:\n  # at 3\n  # at 4\n  - c: 1\n    # at 4\n    d: 2\n")


def test_what_has_no_place_in_a_document_is_refused():
    with pytest.raises(TypeError):
        yaml.dump({"a": 1.5})
