"""Every reader of YAML, given what ends a careless one: a refusal with the place, no signal, little memory."""

from __future__ import annotations

import json

import pytest

from hardway.model import yaml
from tests.support.bombs import BOMBS
from tests.support.bounded import in_child

READERS = {
    "checks": "from hardway.checks.files.shapes import parse_yaml\nread = lambda: parse_yaml(file.read_bytes())",
    "a release's manifests": (
        "from hardway.release.documents import read as documents\nread = lambda: documents('x.yaml', file.read_bytes())"
    ),
    "the comparison": "from hardway.compare.contents import mapping\nread = lambda: mapping(file.read_bytes())",
    "what operators rendered": "from hardway.compare.rendered.reading import documents\nread = lambda: documents(file)",
    "MCO's render": (
        "from hardway.ignition.base import read_base\nfrom hardway.lines.default import DEFAULT\n"
        "read = lambda: read_base(file.parent, DEFAULT)"
    ),
    "MCO's inputs": (
        "from hardway.render.mco.inputs import for_controller\n"
        "read = lambda: for_controller([('x', file.read_bytes())])"
    ),
    "a kubeconfig": (
        "from hardway.drive.access import read_kubeconfig\nread = lambda: read_kubeconfig(file.read_text())"
    ),
    "a place in a file": "from hardway.explain.place import _at\nread = lambda: _at(file, 1)",
    "a lab's settings": "from hardway.lab.cluster_files import said_of\nread = lambda: said_of(file.parent)",
    "install-config": (
        "from hardway.model.config.load import Inputs, load\nfrom hardway.release.catalogue import release_for\n"
        "read = lambda: load(Inputs(install_config=file.read_text()), release_for)"
    ),
    "hosts.yaml": (
        "from hardway.model.hosts import read_hosts\n"
        "read = lambda: read_hosts(file.read_text(), 'hosts.yaml')[1].problems"
    ),
}
PROGRAM = """
import json, sys
from pathlib import Path
from hardway.model.errors import HardwayError
{reader}
limit_memory()
for name, file in json.loads(sys.argv[1]).items():
    file = Path(file)
    print(name, flush=True)
    try:
        read()
    except (HardwayError, ValueError):
        pass
print("alive")
"""


@pytest.fixture(scope="module")
def bombs(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Each in a folder of its own, under the name that every reader looks for."""
    found = {}
    for name, text in BOMBS.items():
        folder = tmp_path_factory.mktemp("bomb")
        (folder / "rendered-master-0.yaml").write_text(text)
        (folder / "hardway.yaml").symlink_to(folder / "rendered-master-0.yaml")
        found[name] = str(folder / "rendered-master-0.yaml")
    return json.dumps(found)


@pytest.mark.parametrize("reader", READERS)
def test_no_document_ends_a_reader(reader: str, bombs: str):
    done = in_child(PROGRAM.format(reader=READERS[reader]), bombs)
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


def test_dates_can_stay_text():
    assert yaml.load("a: 2025-01-01", "dates as text") == {"a": "2025-01-01"}
    assert yaml.load("a: 2025-01-01")["a"].year == 2025


@pytest.mark.parametrize(
    "text", ["a: !!int x", "a: !!timestamp x", "a: !!binary é", "{[a]: 1}", "a: *b", "a: \x00", "---\n---\n"]
)
def test_what_the_constructors_stumble_over_is_an_error_of_ours(text: str):
    with pytest.raises(yaml.YamlError):
        yaml.load(text)
