"""Every reader of YAML, given what ends a careless one: a refusal with the place, no signal, little memory."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from hardway.checks.files.shapes import parse_yaml
from hardway.compare.contents import mapping
from hardway.compare.rendered.reading import documents as rendered_documents
from hardway.drive.access import read_kubeconfig
from hardway.explain.place import _at
from hardway.ignition.base import read_base
from hardway.lab.cluster_files import said_of
from hardway.lines.default import DEFAULT
from hardway.model import yaml
from hardway.model.config.load import Inputs, load
from hardway.model.errors import HardwayError
from hardway.model.hosts import read_hosts
from hardway.release.catalogue import release_for
from hardway.release.documents import read as release_documents
from hardway.render.mco.inputs import for_controller
from tests.support.bombs import BOMBS
from tests.support.bounded import bounded

READERS: dict[str, Callable[[Path], object]] = {
    "checks": lambda file: parse_yaml(file.read_bytes()),
    "a release's manifests": lambda file: release_documents("x.yaml", file.read_bytes()),
    "the comparison": lambda file: mapping(file.read_bytes()),
    "what operators rendered": rendered_documents,
    "MCO's render": lambda file: read_base(file.parent, DEFAULT),
    "MCO's inputs": lambda file: for_controller([("x", file.read_bytes())]),
    "a kubeconfig": lambda file: read_kubeconfig(file.read_text()),
    "a place in a file": lambda file: _at(file, 1, file),
    "a lab's settings": lambda file: said_of(file.parent),
    "install-config": lambda file: load(Inputs(install_config=file.read_text()), release_for),
    "hosts.yaml": lambda file: read_hosts(file.read_text(), "hosts.yaml")[1].problems,
}
FEWER_NODES = 20_000
"""Than the bound allows: here it counts that a reader has one, and every value takes its time."""


@pytest.fixture(scope="module")
def bombs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Each in a folder of its own, under the name that every reader looks for."""
    found = {}
    for name, text in BOMBS.items():
        found[name] = tmp_path_factory.mktemp("bomb") / "rendered-master-0.yaml"
        found[name].write_text(text)
        found[name].with_name("hardway.yaml").symlink_to(found[name])
    return found


@pytest.mark.parametrize("reader", READERS)
def test_no_document_ends_a_reader(reader: str, bombs: dict[str, Path]):
    def attack() -> None:
        yaml.MOST_NODES = FEWER_NODES
        for name, file in bombs.items():
            print(name, flush=True)
            with suppress(HardwayError, ValueError):
                READERS[reader](file)
        print("alive")

    done = bounded(attack)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "alive"), (done.stdout[-100:], done.stderr[-600:])


@pytest.mark.parametrize(
    ("bomb", "line", "message"),
    [
        ("lists in brackets", 1, "the nesting is deeper than 200 levels"),
        ("lists by dashes", 2, "the nesting is deeper than 200 levels"),
        ("merge keys that double", 15, "more than 200000 values"),
        ("aliases of aliases", 6, "more than 200000 values"),
        ("very many nodes", 1, "more than 200000 values"),
        ("an alias of its own list", 1, "this alias is inside the value that it names"),
        ("keys of one hash", 1, "a mapping has more than 100 keys that are not text"),
        ("keys of one hash, merged", 61, "a mapping has more than 100 keys that are not text"),
        ("one long number", 1, "a number has more than 400 digits"),
    ],
)
def test_a_refusal_says_what_and_where(bomb: str, line: int, message: str):
    with pytest.raises(yaml.YamlError, match=message) as caught:
        yaml.load(BOMBS[bomb])
    assert caught.value.line == line


def test_a_text_that_is_too_long_is_not_parsed():
    with pytest.raises(yaml.YamlError, match="at most 16777216 are read"):
        yaml.load(b"#" * (yaml.LARGEST + 1))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_aliases_are_counted_in_every_encoding(encoding: str):
    with pytest.raises(yaml.YamlError, match="more than 200000 values"):
        yaml.load(BOMBS["merge keys that double"].encode(encoding))


def test_honest_aliases_and_merge_keys_are_read():
    text = "a: &a {x: 1, y: [1, 2]}\nb: {<<: *a, z: *a}\n"
    assert yaml.load(text)["b"] == {"x": 1, "y": [1, 2], "z": {"x": 1, "y": [1, 2]}}
    assert yaml.load(text, "text")["b"]["z"] == {"x": "1", "y": ["1", "2"]}


def test_some_keys_may_be_numbers_and_dates():
    numbers = dict.fromkeys(range(yaml.MOST_NUMBERED), "a")
    text = "".join(f"{number}: a\n" for number in numbers) + "".join(f"k{number}: a\n" for number in range(200))
    assert yaml.load(text).items() >= numbers.items()
    assert len(yaml.load("".join(f"{number}: a\n" for number in range(500)), "text")) == 500


def test_dates_can_stay_text():
    assert yaml.load("a: 2025-01-01", "dates as text") == {"a": "2025-01-01"}
    assert yaml.load("a: 2025-01-01")["a"].year == 2025


@pytest.mark.parametrize(
    "text", ["a: !!int x", "a: !!timestamp x", "a: !!binary é", "{[a]: 1}", "a: *b", "a: \x00", "---\n---\n"]
)
def test_what_the_constructors_stumble_over_is_an_error_of_ours(text: str):
    with pytest.raises(yaml.YamlError):
        yaml.load(text)
