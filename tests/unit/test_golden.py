"""Whole trees with fixed entropy: byte-identical in two runs, and the ones that were reviewed.

HARDWAY_UPDATE=1 writes the golden files anew; read their diff before you commit it.
"""

from __future__ import annotations

import os
import shutil
from hashlib import sha256
from pathlib import Path

import pytest

from tests.support.clusters import TOPOLOGIES, install_config
from tests.support.trees import build_folder, built, write_folder

GOLDEN = Path(__file__).parents[1] / "golden"
VARIANT_OF = {"3+2": "default", "3+0": "compact", "1+0": "single"}
SHOWN = ("bootstrap-manifests", "bootstrap-configs", "plan")  # kept as text, to be read


def listing(root: Path) -> str:
    files = sorted(p for p in root.rglob("*") if p.is_file() and not p.name.startswith("."))
    return "".join(
        f"{p.stat().st_mode & 0o7777:04o} {sha256(p.read_bytes()).hexdigest()} {p.relative_to(root)}\n" for p in files
    )


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_the_tree_is_the_golden_one(topology):
    root = built(VARIANT_OF[topology]).store.root
    golden = GOLDEN / topology
    if os.environ.get("HARDWAY_UPDATE"):
        shutil.rmtree(golden, ignore_errors=True)
        golden.mkdir(parents=True)
        (golden / "TREE").write_text(listing(root))
        for folder in SHOWN:
            shutil.copytree(root / folder, golden / folder)
    for folder in SHOWN:
        for shown in sorted((golden / folder).iterdir()):
            assert (root / folder / shown.name).read_text() == shown.read_text()
    assert listing(root) == (golden / "TREE").read_text()


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_two_runs_are_byte_identical(topology, tmp_path):
    masters, workers = TOPOLOGIES[topology]
    one = build_folder(write_folder(tmp_path / "one", install_config(masters, workers)))
    assert listing(one.store.root) == listing(built(VARIANT_OF[topology]).store.root)
