"""The YAML layer: what Go's reader makes of bare words, places, and everything that is refused."""

from __future__ import annotations

import pytest

from hardway.model.config.nodes import Mapping, Place, Scalar, Sequence
from hardway.model.config.scalars import as_text, bare, tagged
from hardway.model.config.yaml import YamlError, parse


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("yes", True),
        ("Off", False),
        ("n", False),
        ("~", None),
        ("", None),
        ("null", None),
        ("12", 12),
        ("-12", -12),
        ("+3", 3),
        ("010", 8),
        ("0o10", 8),
        ("0x1F", 31),
        ("0b11", 3),
        ("1_000", 1000),
        ("08", 8.0),
        ("1e3", 1000.0),
        (".5", 0.5),
        ("1.", 1.0),
        ("18446744073709551615", 2**64 - 1),
        ("18446744073709551616", float(2**64)),
        ("-9223372036854775809", -float(2**63)),
        ("1e999", "1e999"),
        ("0x" + "f" * 20, "0x" + "f" * 20),
        ("2024-01-01", "2024-01-01"),
        ("52:54:00:12:34:56", "52:54:00:12:34:56"),
        ("190:20:30", "190:20:30"),
        ("nO", "nO"),
        ("٣", "٣"),
        ("v1", "v1"),
        ("-", "-"),
        ("._5", "._5"),
    ],
)
def test_bare_words(word: str, value: object) -> None:
    assert bare(word) == value
    assert type(bare(word)) is type(value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (4.18, "4.18"),
        (1e10, "1e+10"),
        (1234567.0, "1.234567e+06"),
        (1000.0, "1000"),
        (0.0001, "0.0001"),
        (0.00001, "1e-05"),
        (3.14159265358979, "3.1415927"),
        (1e39, "+Inf"),
        (-0.5, "-0.5"),
        (True, "true"),
        (8, "8"),
    ],
)
def test_text_from_a_number_is_gos(value: float, text: str) -> None:
    assert as_text(value) == text


@pytest.mark.parametrize(
    ("word", "tag", "value"),
    [("1", "str", "1"), ("3", "float", 3.0), ("yes", "bool", True), ("eA==", "binary", "x"), ("1", "custom", "1")],
)
def test_tags(word: str, tag: str, value: object) -> None:
    assert tagged(word, f"tag:yaml.org,2002:{tag}") == value


@pytest.mark.parametrize(
    ("word", "tag"), [("x", "int"), ("1", "bool"), ("x", "null"), ("!", "binary"), ("/w==", "binary"), ("é", "binary")]
)
def test_tags_that_contradict(word: str, tag: str) -> None:
    with pytest.raises(ValueError, match="tag"):
        tagged(word, f"tag:yaml.org,2002:{tag}")


def test_nodes_know_their_place() -> None:
    root = parse("a: 1\nb:\n  - x\n").root
    assert isinstance(root, Mapping)
    (key, value), (_, items) = root.pairs
    assert (key.place, value.place) == (Place(1, 1), Place(1, 4))
    assert isinstance(items, Sequence)
    assert items.items[0].place == Place(3, 5)


def test_merge_keys_bring_their_pairs() -> None:
    root = parse("a: &a {x: 1}\nb: {<<: [*a, {v: 2}], z: 3}\n").root
    assert isinstance(root, Mapping)
    merged = root.pairs[1][1]
    assert isinstance(merged, Mapping)
    assert [key.value for key, _ in merged.pairs] == ["x", "v", "z"]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a: [", Place(2, 1)),
        ("a: b: c", Place(1, 5)),
        ("\ta: 1", Place(1, 1)),
        ("a: *b", Place(1, 4)),
        ("a: &a [*a]", Place(1, 8)),
        ("a: !!int x", Place(1, 4)),
        ("<<: 3", Place(1, 1)),
        ("ä: \x01", Place(1, 4)),
        ("x: 1\ny: \ud800", Place(2, 4)),
    ],
)
def test_refused_altogether(text: str, place: Place) -> None:
    with pytest.raises(YamlError) as caught:
        parse(text)
    assert caught.value.place == place


@pytest.mark.parametrize("text", ["a: 1\na: 2", "x: {<<: {a: 1}, a: 2}", "? [1]\n: 2", "~: 1", "a: .nan", "a: -.inf"])
def test_readable_but_refused_by_the_installer(text: str) -> None:
    assert len(parse(text).flaws) == 1


def test_the_same_word_with_another_type_is_another_key() -> None:
    assert parse('1: a\n"1": b\ntrue: c').flaws == []


@pytest.mark.parametrize("rest", ["---\nb: 1", "---\nb: [", "...\nb: [", "--- x"])
def test_only_the_first_document_counts(rest: str) -> None:
    document = parse(f"a: 1\n{rest}\n")
    assert isinstance(document.root, Mapping)
    assert document.more is not None
    assert document.more.line >= 2


def test_an_anchor_may_be_given_twice() -> None:
    root = parse("a: &x 1\nb: &x 2\nc: *x").root
    assert isinstance(root, Mapping)
    last = root.pairs[2][1]
    assert isinstance(last, Scalar)
    assert last.value == 2


def test_depth_is_bounded() -> None:
    assert parse("[" * 200 + "]" * 200).flaws == []
    with pytest.raises(YamlError, match="deeper than 200 levels"):
        parse("[" * 201 + "]" * 201)


def test_aliases_of_aliases_are_counted_as_what_they_stand_for() -> None:
    lines = ["a0: &a0 {k0: 1}"] + [f"a{n}: &a{n} {{<<: [*a{n - 1}, *a{n - 1}], k{n}: 1}}" for n in range(1, 40)]
    assert len(parse("\n".join(lines[:10])).flaws) > 0
    with pytest.raises(YamlError, match="more than 200000 values") as caught:
        parse("\n".join(lines))
    assert caught.value.place.line == 15
