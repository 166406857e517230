"""Imports go one way, randomness and programs enter at one place, and every package is under the rule."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from hardway.explain.architecture.imports import SOURCE, direct, imported, modules, package, packages
from hardway.explain.architecture.layers import LAYERS, LEVEL
from hardway.workspace.code import MAKERS

TESTS = Path(__file__).parents[1]


def test_every_package_has_a_layer_and_a_place_in_the_picture():
    assert {package(p) for p in modules()} == set(LEVEL)
    assert all(len({p.column for p in layer}) == len(layer) for layer in LAYERS)


def test_imports_go_one_way():
    wrong = [
        f"{path.relative_to(SOURCE)} imports {name}"
        for path in modules()
        for name in imported(path)
        if name.startswith("hardway.")
        and (other := name.split(".")[1]) in LEVEL
        and other != package(path)
        and LEVEL[other] >= LEVEL[package(path)]
    ]
    assert wrong == []


def test_an_import_that_follows_from_others_is_no_arrow():
    found = direct({"a": frozenset("bcd"), "b": frozenset("c"), "c": frozenset("d"), "d": frozenset()})
    assert found == {"a": {"b"}, "b": {"c"}, "c": {"d"}, "d": set()}
    drawn, real = direct(packages()), packages()
    assert all(drawn[name] <= real[name] for name in real)
    assert "page" in drawn["cli"]
    assert "model" not in drawn["cli"]


def test_no_hidden_packages():
    """Modules of one folder that share their first word are a folder of that name."""
    wrong = []
    for folder in sorted({path.parent for top in (SOURCE, TESTS / "support") for path in top.rglob("*.py")}):
        names = [p.stem for p in folder.glob("*.py") if not p.name.startswith("_")]
        names += [p.parent.name for p in folder.glob("*/__init__.py")]  # not what an older version left
        words = Counter(name.split("_")[0] for name in names)
        wrong += [f"{folder}: {word}_" for word, count in words.items() if count > 1]
    assert wrong == []


def test_randomness_and_the_clock_enter_through_entropy_alone():
    forbidden = {"random", "secrets", "uuid.uuid4", "os.urandom", "time.time"}
    wrong = [
        f"{path.relative_to(SOURCE)} imports {name}"
        for path in modules()
        for name in imported(path)
        if name in forbidden
    ]
    assert wrong == []
    users = {
        str(p.relative_to(SOURCE)) for p in modules() if "urandom" in p.read_text() or ".now(UTC)" in p.read_text()
    }
    assert users == {"model/entropy.py"}


def test_programs_are_run_from_one_module_only():
    starting = re.compile(r"\bos\.(exec|spawn|popen|system)")
    users = {
        str(p.relative_to(SOURCE)) for p in modules() if "subprocess" in imported(p) or starting.search(p.read_text())
    }
    assert users == {"tools/run.py"}


def test_a_change_of_code_that_artifacts_are_made_by_is_seen():
    """Whatever a maker imports makes artifacts too, io apart, which only carries their bytes."""
    makers = {name for path in modules() if package(path) in MAKERS for name in imported(path)}
    assert {name.split(".")[1] for name in makers if name.startswith("hardway.")} - {"io"} <= set(MAKERS)


def test_the_graph_knows_nobody_above_it():
    """All it knows of an asset is what the row says: no package of the tables, no address, no stage."""
    parts = [path for path in modules() if package(path) == "graph"]
    names = {name.split(".")[1] for path in parts for name in imported(path) if name.startswith("hardway.")}
    assert names <= {"graph", "io", "model"}
    nodes = [node for path in parts for node in ast.walk(ast.parse(path.read_text()))]
    texts = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    assert [text for text in texts if re.fullmatch(r"[a-z]+/.*|\d\d", text)] == []


def test_documents_are_listed_in_the_catalogue_alone():
    tables = {"plan.document", "kubeconfigs.render", "staticpods.pods.documents", "manifests.table"}
    users = {str(p.relative_to(SOURCE)) for p in modules() if {f"hardway.{name}" for name in tables} & imported(p)}
    assert users == {"workspace/catalogue.py"}


def test_locks_are_taken_in_one_module_only():
    users = {str(p.relative_to(SOURCE)) for p in modules() if re.search(r"fcntl\.(flock|lockf)", p.read_text())}
    assert users == {"io/lock.py"}


def test_files_are_put_under_their_names_in_one_package_only():
    """Whole: `rename`, `os.replace` and `Path.replace`, which has a single argument; that of a text has two."""

    def puts(node: ast.AST) -> bool:
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            return False
        owner, name = ast.unparse(node.func.value), node.func.attr
        alone = len(node.args) == 1 and not node.keywords
        return name in ("rename", "renames") or (name == "replace" and (owner == "os" or alone))

    named = [path for path in modules() if re.search(r"\.re(name|place)\w*\(", path.read_text())]
    found = {path for path in named if any(puts(node) for node in ast.walk(ast.parse(path.read_text())))}
    assert {str(path.relative_to(SOURCE)) for path in found} == {"io/atomic.py", "io/folder.py", "io/rooted.py"}


OTHER_FILES = {
    "explain/architecture/imports.py": "the program's own source",
    "explain/convergence.py": "the file that `make reference` names",
    "explain/glossary.py": "the file that `make reference` names",
    "explain/markdown.py": "the folder that `make reference` names",
    "explain/pictures/__main__.py": "the folder that `make reference` names",
    "compare/rendered/markdown.py": "the file that `make reference` names",
    "lab": "/proc, /sys, and the lab's own folder, which root alone can write to",
    "labrelease": "the cache, and what this machine compiles",
    "network/dns/client.py": "/etc/resolv.conf",
    "registry/podman.py": "/proc, and a folder of its own",
    "registry/openpgp.py": "a folder of its own",
    "cli/main.py": "/dev/null",
    "graph/store.py": "its record, by the opener of io/links",
    "render": "a folder of its own, in which a program of an image wrote no link and no pipe",
    "rhcos/machine.py": "a folder of its own",
    "rhcos/medium.py": "a folder of its own",
    "tools/machine": "/proc, /sys and /etc/os-release",
    "workspace/code.py": "the program's own source",
}
"""Who opens files by itself, and which: none that the cluster's folder holds or that a user names."""


def test_files_of_others_are_opened_in_one_package_only():
    """A pipe in a file's place keeps a reader waiting, a link leads to any file of this machine: io refuses both."""

    def opens(node: ast.AST) -> bool:
        if not isinstance(node, ast.Call):
            return False
        if isinstance(node.func, ast.Name):
            return node.func.id == "open"
        if not isinstance(node.func, ast.Attribute):
            return False
        owner, name = ast.unparse(node.func.value), node.func.attr
        modes = [word.value for word in node.args[:1] if isinstance(word, ast.Constant)]
        if name == "open":
            return owner in ("os", "io") or modes in (["r"], ["rb"], ["w"], ["wb"], ["ab"])
        ours = owner.startswith(("files(", "found[name]", "super()"))  # of the package itself, and no file at all
        return name in ("read_text", "read_bytes", "write_text", "write_bytes", "touch") and not ours

    named = [path for path in modules() if re.search(r"open|_text|_bytes|touch", path.read_text())]
    found = {
        str(path.relative_to(SOURCE))
        for path in named
        if package(path) != "io" and any(opens(node) for node in ast.walk(ast.parse(path.read_text())))
    }
    allowed = {name for name in found for other in OTHER_FILES if name == other or name.startswith(f"{other}/")}
    assert found - allowed == set()
    assert {other for other in OTHER_FILES if not any(name.startswith(other) for name in found)} == set()


def programs_in_texts() -> Iterator[tuple[Path, str]]:
    """What tests and benchmarks give to a process of its own: no checker of types reads it, nor a file without .py."""
    yield from ((path, path.read_text()) for path in (TESTS.parent / "benchmarks").iterdir())
    for path in TESTS.rglob("*.py"):
        nodes = ast.walk(ast.parse(path.read_text()))
        yield from ((path, n.value) for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str))


def test_what_programs_in_texts_import_exists():
    said = re.compile(r"from (hardway[\w.]*) import ([\w, ]+)")
    wrong, seen = [], 0
    for path, text in programs_in_texts():
        for module, names in said.findall(text):
            for name in names.split(" as ")[0].split(", "):
                seen += 1
                if not hasattr(import_module(module), name.strip()) and not find_spec(f"{module}.{name.strip()}"):
                    wrong.append(f"{path.relative_to(TESTS.parent)}: {module}.{name}")
    assert seen > 40
    assert wrong == []


def test_a_test_lies_where_the_package_lies_that_it_tests():
    found = {p.parent.relative_to(TESTS / kind) for kind in ("unit", "real") for p in (TESTS / kind).rglob("test_*.py")}
    others = {Path("docs"), Path("support")}
    assert [str(folder) for folder in found - others if not (SOURCE / folder).is_dir()] == []


def test_yaml_is_read_in_one_module_only():
    """PyYAML's own functions know no bounds; everybody else asks `hardway.model.yaml`."""
    users = {str(p.relative_to(SOURCE)) for p in modules() if {"yaml"} & {n.split(".")[0] for n in imported(p)}}
    readers = {
        str(p.relative_to(SOURCE))
        for p in modules()
        if re.search(r"Loader\b|yaml\.(safe_|full_|unsafe_)?(parse|scan)\b|\b(safe|full|unsafe)_load", p.read_text())
    }
    assert readers == {"model/yaml.py"}
    assert users == {"model/yaml.py", "model/config/yaml.py", "explain/fields.py", "lab/cluster_files.py"}
