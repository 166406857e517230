"""Files of the user's folder manifests/ become documents with the bytes that the user wrote."""

from __future__ import annotations

import pytest

from hardway.lines.default import DEFAULT
from hardway.model.own.load import load_own
from tests.support.bombs import BOMBS
from tests.support.bounded import bounded
from tests.support.own import config_map, documents, read, text

TWO = """# first
apiVersion: v1
kind: ConfigMap
metadata: {name: a, namespace: default, annotations: {a: ä}}
--- # second
apiVersion: v1
kind: Namespace
metadata:
  name: b
"""


def test_a_single_document_keeps_its_name_and_its_bytes():
    content = f"# mine\n{text(config_map())}\n"
    [own] = documents(x=content)
    assert (own.address, own.path, own.content) == ("manifest/x.yaml", "manifests/x.yaml", content.encode())
    assert (own.first, own.of, own.title) == (1, 1, "ConfigMap default/a")


def test_several_documents_are_split_where_the_yaml_says_so():
    first, second = documents(x=TWO)
    assert (first.path, second.path) == ("manifests/x-1.yaml", "manifests/x-2.yaml")
    assert (first.content + second.content).decode() == TWO
    assert second.content.startswith(b"--- # second\napi")
    assert [(own.first, own.last) for own in (first, second)] == [(1, 4), (5, 9)]
    assert second.place("metadata.name") == (9, 3)


def test_numbers_sort_as_they_count():
    many = documents(x=text(*(config_map(f"m{n}") for n in range(11))))
    assert [own.path for own in many] == sorted(own.path for own in many)


def test_documents_come_in_the_order_of_file_names():
    found = documents(b=text(config_map("two")), a=text(config_map("one")))
    assert [own.name for own in found] == ["one", "two"]


def test_an_empty_document_between_others_is_none():
    [own] = documents(x=f"---\n# nothing\n---\n{text(config_map())}")
    assert own.path == "manifests/x.yaml"
    assert b"nothing" not in own.content


@pytest.mark.parametrize(
    ("content", "line", "column", "said"),
    [
        ("a: [1\n", 2, 1, "this is not YAML"),
        (f"{TWO}---\na: *nobody\n", 11, 4, "anchor that does not exist"),
        (f"{TWO}---\nkind: a\nkind: b\n", 12, 1, "'kind' occurs twice"),
        (f"{TWO}---\nkind: a\n", 11, 1, "apiVersion: is missing"),
        (
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: 7}\n",
            3,
            12,
            "metadata.name: must be text, and YAML reads",
        ),
        (
            "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: y\n",
            4,
            3,
            "word as true, a boolean [own.object]\n    fix: write it in",
        ),
        ("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: off\n", 4, 3, "this word as false, a boolean"),
        ("apiVersion: 1\nkind: ConfigMap\nmetadata:\n  name: a\n", 1, 1, "apiVersion: must be text, and YAML reads"),
        ("apiVersion: v1\nkind: ConfigMap\nmetadata: a\n", 1, 1, "metadata.name: is missing"),
        (
            "apiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: [b]}\n",
            3,
            21,
            "metadata.namespace: must be text, but it is a list",
        ),
        ("- a\n- b\n", 1, 1, "not an object"),
        ("%YAML 1.1\n---\na: b\n", 1, 1, "directive"),
        ("a: \x07\n", 1, 4, "control character"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(content, line, column, said):
    _, problems = read(x=content)
    assert any(
        said in str(p) and p.line == line and p.column == column and p.file == "c/manifests/x.yaml" for p in problems
    ), list(map(str, problems))
    assert all(p.fix for p in problems)


@pytest.mark.parametrize("name", BOMBS)
def test_a_text_that_grows_is_refused(name):
    found, problems = read(x=BOMBS[name])
    assert found == ()
    assert problems[0].rule in ("own.syntax", "own.object")


def test_long_names_in_many_levels_are_not_kept_for_every_field():
    """3,000 paths of 190,000 characters would be more than half a gigabyte."""
    levels = "".join(f"{{{chr(97 + level % 26) * 1000}: " for level in range(190))
    bomb = f"a: {levels}{{{', '.join(f'k{leaf}: 1' for leaf in range(3000))}}}{'}' * 190}\n"
    ended = bounded(lambda: print(read(x=bomb)[1][0].rule))
    assert (ended.returncode, ended.stdout) == (0, "own.object\n"), ended.stderr


def test_a_field_below_a_long_path_is_told_with_the_place_of_what_it_is_in():
    [own] = documents(x=f"{text(config_map())}spec:\n  {'long' * 60}:\n    c: 1\n")
    assert own.place(f"spec.{'long' * 60}.c") == own.place("spec")


def test_the_time_to_split_a_file_grows_with_its_length_alone():
    """Were the lines above counted for every document, the processor time of the child would not do."""
    starts = "---\n" * 4000
    bomb = f"#{'x' * (8 << 20)}\n{starts}"
    ended = bounded(lambda: print(read(x=bomb)[1][0].rule), seconds=10)
    assert (ended.returncode, ended.stdout) == (0, "own.empty\n"), ended.stderr


def test_bytes_that_are_no_text():
    found, [problem] = load_own({"x.yaml": b"a: b\nc: \xff\n"}, "manifests", DEFAULT)
    assert found == ()
    assert (problem.line, problem.column, problem.message) == (2, 4, "this is not UTF-8")
    assert problem.fix == "save the file as UTF-8 text"


@pytest.mark.parametrize(
    "name", ["a.json", "README.md", "a b.yaml", "-a.yaml", "a.yaml.bak", "ä.yaml", f"{'a' * 200}.yaml"]
)
def test_names_that_would_not_survive_the_way(name):
    found, [problem] = load_own({name: text(config_map()).encode()}, "manifests", DEFAULT)
    assert found == ()
    assert (problem.rule, problem.file) == ("own.file-name", f"manifests/{name}")


@pytest.mark.parametrize("name", ["80.json", "README.md", "foo.yaml~"])
def test_files_of_another_kind_are_told_which_are_read(name):
    [problem] = load_own({name: b""}, "manifests", DEFAULT)[1]
    assert "only files whose names end with .yaml or .yml are" in problem.message


def test_the_rule_is_printed_as_the_guide_lists_it():
    [problem] = load_own({"README.md": b""}, "manifests", DEFAULT)[1]
    assert str(problem).splitlines()[0].endswith(" [own.file-name]")


def test_a_file_without_a_document_is_a_warning():
    found, [problem] = read(x="# later\n")
    assert found == ()
    assert (problem.rule, problem.warning) == ("own.empty", True)
