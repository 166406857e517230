"""Whatever id a command prints, `hardway explain` knows it."""

from __future__ import annotations

import json
import re
from importlib import import_module
from pathlib import Path

import pytest

from hardway.compare.installer.comparison import compare
from hardway.explain import atlas
from hardway.explain.architecture.imports import SOURCE, modules
from hardway.lab.status import deviations
from hardway.model.check import Check
from hardway.workspace.folder import open_workspace
from tests.support.clusters import install_config, load_cluster
from tests.support.forked import hardway
from tests.support.hostile import hostile
from tests.support.manifests import make
from tests.support.own import config_map, machine_config, text
from tests.support.references import WHOLE
from tests.support.trees import build_folder, write_folder

ADDRESS = re.compile(rf"(?<![\w./])(?:{'|'.join(atlas.CHARTS)})/[\w.:/#\[\]*-]*[\w\]*]")
FAILURE = re.compile(r"\bF\d\d\b")
LINES = Path(__file__).parents[2] / "data" / "log" / "lines.tsv"
URL = re.compile(r"\b[a-z]+(\.[a-z]+)+/\S+|https?://\S+")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A cluster with defects of several kinds, so that there is something to print."""
    place = write_folder(tmp_path_factory.mktemp("cluster"), install_config())
    build_folder(place)
    assets = place / "assets"
    (assets / "tls" / "root-ca.crt").unlink()
    (assets / "tls" / "etcd-signer.key").chmod(0o644)
    (assets / "auth" / "kubeconfig").write_text("{}")
    (assets / "bootstrap-manifests" / "kube-apiserver-pod.yaml").write_text("{}")
    return place


@pytest.fixture(scope="module")
def known(folder):
    return {entry.address for entry in atlas.entries(open_workspace(folder))}


def printed(folder: Path, *words: str):
    done = hardway("-C", folder, *words, "-o", "json")
    assert done.returncode in (0, 4), done.stderr
    return json.loads(done.stdout)


def reported(report) -> set[str]:
    """The checks and failures of a report."""
    checks = {*report["ran"], *(row["check"] for row in (*report.get("skipped", ()), *report["findings"]))}
    return {f"check/{name}" for name in checks} | {
        f"failure/{row['failure']}" for row in report["findings"] if row["failure"]
    }


def diagnosed(told) -> set[str]:
    """What the doctor says: each case with its checks and failure modes, and what was looked at."""
    cases = [case for root in told["roots"] for case in (root, *root["effects"])]
    rows = [row for case in cases for row in case["findings"]]
    modes = {mode for case in cases for mode in (*case["failures"], *case["candidates"])}
    names = {case[key] for case in cases for key in ("id", "by") if key in case}
    checks = {*told["ran"], *(row["check"] for row in (*told["skipped"], *rows)), *names} - modes
    return {f"check/{name}" for name in checks} | {f"failure/{mode}" for mode in modes}


COMMANDS = {
    "verify": reported,
    "verify --list": lambda rows: {f"check/{row['check']}" for row in rows},
    "doctor": diagnosed,
    f"doctor --log {LINES}": diagnosed,
    "status": lambda found: {f"stage/{row['stage']}-{row['name']}" for row in found["stages"]},
    "graph": lambda rows: {row["address"] for row in rows} | {need for row in rows for need in row["needs"]},
    "build --dry-run": set,
    "bootkube --list": lambda rows: {f"bootkube/{row['name']}" for row in rows},
    "lab up --dry-run .": lambda plan: {f"milestone/{name}" for name in plan["milestones"]},
}


@pytest.mark.parametrize("command", COMMANDS)
def test_ids_in_json(folder, known, command):
    ids = COMMANDS[command](printed(folder, *command.split()))
    assert ids
    assert sorted(ids - known) == []


@pytest.mark.parametrize("command", COMMANDS)
def test_addresses_in_text(folder, known, command):
    done = hardway("-C", folder, *command.split())
    text = URL.sub("", done.stdout + done.stderr)
    found = {address.rstrip(".") for address in ADDRESS.findall(text)} | {f"failure/{f}" for f in FAILURE.findall(text)}
    paths = {a for a in found if any(part in a for part in ("//", "..")) or (folder / "assets" / a).exists()}
    assert sorted(a for a in found - paths - known if "…" not in a) == []


def test_every_check_is_in_a_table_that_is_explained(known):
    """Whatever command runs it: there is no table beside those of `checks/all.py`."""
    users = [p.relative_to(SOURCE.parent).with_suffix("") for p in modules() if "Check(" in p.read_text()]
    values = [value for path in users for value in vars(import_module(".".join(path.parts))).values()]
    rows = {row for value in values if isinstance(value, (tuple, list)) for row in value if isinstance(row, Check)}
    assert len(rows) > 200
    assert sorted(row.name for row in rows if row.address not in known) == []


def test_rules_that_the_users_documents_break(folder, known, tmp_path):
    write_folder(tmp_path / "c", install_config())
    (tmp_path / "c/manifests").mkdir()
    (tmp_path / "c/manifests/a.yaml").write_text(
        text(machine_config(role="infra"), config_map() | {"kind": "Configmap"})
    )
    done = hardway("-C", tmp_path / "c", "build")
    ids = re.findall(r" \[([\w.-]+)\]$", done.stderr, re.MULTILINE)
    assert sorted(ids) == ["own.kind", "own.role"]
    for name in ids:
        assert f"rule/{name}" in known
        assert hardway("explain", name).stdout.startswith(f"rule/{name}\n")


def test_rules_that_a_certificate_request_breaks(known):
    rules = {rule for _, rule in hostile(load_cluster().cluster).values()}
    assert {"signer", "node"} <= rules
    assert sorted(f"csr/rule/{rule}" for rule in {*rules, "request"} if f"csr/rule/{rule}" not in known) == []


def test_rows_of_the_comparison_with_the_installer(known):
    report = compare(WHOLE["3+2"], lambda text: make(text, keys="rsa-2048").content("ignition/bootstrap"))
    rows = {row["row"] for row in report.as_dict()["expected"]}
    assert rows
    assert sorted(f"difference/installer/{row}" for row in rows if f"difference/installer/{row}" not in known) == []


def test_deviations_of_the_lab(folder, known):
    found = {row.address for row in deviations(open_workspace(folder).loaded.cluster)}
    assert found
    assert found <= known
