"""Whatever the files hold, every check runs to its end and says what is wrong."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import pytest
import yaml

from hardway.checks.files.artifacts import Artifacts
from hardway.checks.files.table import RELEASE, TABLE
from hardway.model.check import run
from tests.support.entropy import NOW
from tests.support.trees import built, copy_of

ODD = (None, True, 0, 1.5, "", "x", "\ud800", "a\0b", [], ["x"], [[]], [{}], {}, {"x": "y"}, {"name": []}, {"": None})
BYTES = (
    b"",
    b"a",
    b"\xff\xfe\x00",
    b"[]",
    b"{}",
    b"- a",
    b"a: [",
    b"!!int ''",
    b"!!timestamp x",
    b"\x00" * 40,
    b"{" * 5000,
)


def paths_of(root):
    """One of each family is enough of files that are alike."""
    found = [str(p.relative_to(root)) for p in sorted(root.rglob("*")) if p.is_file()]
    return [p for p in found if not p.startswith((".", "plan/map.md", "master-1", "master-2", "worker-1"))]


def drawn(chance, paths, count):
    """Half of them any, and half each of another family, so that none is left out because it is small."""
    families = {}
    for path in paths:
        families.setdefault((str(Path(path).parent), Path(path).suffix), []).append(path)
    some = [chance.choice(families[name]) for name in chance.sample(sorted(families), count // 2)]
    return some + chance.sample(paths, count - len(some))


def places(value, at=()):
    yield at
    if isinstance(value, dict):
        for key, item in value.items():
            yield from places(item, (*at, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from places(item, (*at, index))


def replaced(value, at, new):
    if not at:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[at[0]] = replaced(copy[at[0]], at[1:], new)
    return copy


def verified(root):
    workspace = built("default")
    return run(TABLE, Artifacts(root=root, cluster=workspace.loaded.cluster, now=NOW))


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    return copy_of("default", tmp_path_factory.mktemp("damaged")).root


@pytest.mark.parametrize("content", BYTES)
def test_a_file_with_other_bytes_is_a_finding_and_no_traceback(tree, content):
    for path in drawn(random.Random(content), paths_of(tree), 4):
        good = (tree / path).read_bytes()
        (tree / path).write_bytes(content)
        assert verified(tree).findings, path
        (tree / path).write_bytes(good)


@pytest.mark.parametrize("seed", range(3))
def test_flipped_bytes_never_stop_a_check(tree, seed):
    chance = random.Random(seed)
    for path in drawn(chance, paths_of(tree), 10):
        good = (tree / path).read_bytes()
        spoilt = bytearray(good)
        for _ in range(chance.randint(1, 20) if good else 0):
            spoilt[chance.randrange(len(spoilt))] = chance.randrange(256)
        (tree / path).write_bytes(bytes(spoilt[: chance.randint(1, len(spoilt) + 1)]))
        verified(tree)
        (tree / path).write_bytes(good)


@pytest.mark.parametrize("seed", range(3))
def test_values_of_another_type_never_stop_a_check(tree, seed):
    chance = random.Random(seed)
    structured = [p for p in paths_of(tree) if p.endswith((".yaml", ".yml", ".ign", ".json", "kubeconfig", ".patch"))]
    for path in drawn(chance, structured, 8):
        good = (tree / path).read_bytes()
        document = yaml.safe_load(good) if not path.endswith(".ign") else json.loads(good)
        for at in (chance.choice(list(places(document))), (chance.choice(list(document)),)):
            spoilt = replaced(document, at, chance.choice(ODD))
            (tree / path).write_text(json.dumps(spoilt))
            verified(tree)
        (tree / path).write_bytes(good)


def test_a_folder_in_place_of_a_file_is_a_finding(tmp_path):
    world = copy_of("default", tmp_path)
    for path in ("bootstrap.ign", "tls/root-ca.crt", "manifests/cvo-overrides.yaml", "plan/cluster.yaml"):
        (world.root / path).unlink()
        (world.root / path).mkdir()
    assert {f.subject for f in run(TABLE, world).findings} >= {"bootstrap.ign", "tls/root-ca.crt", "plan/cluster.yaml"}


def test_an_empty_folder_is_only_findings(tmp_path):
    world = copy_of("default", tmp_path)
    shutil.rmtree(world.root)
    report = run(TABLE, world)
    payload = {f"operators.{name}" for name in ("deployed", "types", "create-only", "network")}
    without = {"ignition.from-mcs", *(check.name for check in RELEASE), *payload}
    assert report.ran == tuple(check.name for check in TABLE if check.name not in without)
    assert set(report.skipped) == without
    assert all("missing" in f.message for f in report.findings)


def test_what_a_file_says_cannot_speak_to_the_terminal(tmp_path):
    world = copy_of("default", tmp_path)
    document = json.loads((world.root / "worker-0.ign").read_text())
    document["ignition"]["version"] = "\x1b[2J\ud800\n"
    (world.root / "worker-0.ign").write_text(json.dumps(document))
    (finding,) = (f for f in run(TABLE, world).findings if f.check == "ignition.readable")
    assert finding.message.isprintable()
    assert finding.message.encode()
