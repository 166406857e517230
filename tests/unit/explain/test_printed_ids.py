"""Whatever id a command prints, `hardway explain` knows it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from hardway.explain import atlas
from hardway.lab.status import deviations
from hardway.workspace.folder import open_workspace
from tests.support.clusters import install_config
from tests.support.hardway_program import hardway
from tests.support.references import write
from tests.support.trees import build_folder, write_folder

ADDRESS = re.compile(rf"\b(?:{'|'.join(atlas.CHARTS)})/[\w.:/#\[\]*-]*[\w\]*]")
FAILURE = re.compile(r"\bF\d\d\b")
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


COMMANDS = {
    "verify": reported,
    "prerequisites --profile own": reported,
    "status": lambda rows: {f"stage/{row['stage']}-{row['name']}" for row in rows},
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


def test_rows_of_the_comparison_with_the_installer(known, tmp_path):
    report = printed(tmp_path, "compare-installer", str(write("3+2", tmp_path)))
    rows = {row["row"] for row in report["expected"]}
    assert rows
    assert sorted(f"difference/installer/{row}" for row in rows if f"difference/installer/{row}" not in known) == []


def test_deviations_of_the_lab(folder, known):
    found = {row.address for row in deviations(open_workspace(folder).loaded.cluster)}
    assert found
    assert found <= known
