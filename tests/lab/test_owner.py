"""Two folders with clusters of one name: the lab is the first one's, and the second can neither see nor remove it."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from pathlib import Path

import pytest
import yaml

from hardway.lab import network, owner, removal
from hardway.lab.cluster_files import write_files
from hardway.lab.paths import lab_paths
from hardway.lab.prepared import paths_of
from hardway.model.errors import ConfigError
from hardway.workspace.folder import planned
from tests.lab.machines import networking, traces
from tests.support.hardway_program import hardway

NAME = f"o{os.getpid()}"
COMMANDS = [
    ["up"],
    ["up", "--dry-run"],
    ["run", "11"],
    ["status"],
    ["down", "--yes"],
    ["down", "--dry-run"],
    ["exec", "master-0", "--", "true"],
    ["shell", "master-0"],
    ["logs", "master-0"],
    ["kubectl", "get", "nodes"],
    ["stop", "master-0"],
    ["start", "master-0"],
]


def cluster(folder: Path, infra_id: str) -> Path:
    """A plan with the infrastructure name that stage 03 would have given it."""
    write_files(folder, "1+0")
    config = yaml.safe_load((folder / "install-config.yaml").read_text())
    (folder / "install-config.yaml").write_text(yaml.safe_dump({**config, "networking": networking()}))
    (folder / "assets/plan").mkdir(parents=True)
    (folder / "assets/plan/infra-id").write_text(f"{infra_id}\n")
    return folder


@pytest.fixture
def scratch(monkeypatch):
    with tempfile.TemporaryDirectory(prefix="hardway-owner-", dir="/var/tmp") as found:
        os.chmod(found, 0o711)
        monkeypatch.setenv("XDG_STATE_HOME", f"{found}/state")
        yield Path(found)


@pytest.fixture
def first(scratch):
    """The folder of a lab whose ground stands: its interface, its bridge and its folder."""
    folder = cluster(scratch / "a" / NAME, f"{NAME}-aaaaa")
    paths = paths_of(planned(folder), folder)
    try:
        network.up(paths, planned(folder))
        owner.settle(paths)
        yield folder
    finally:
        removal.remove(lab_paths(NAME))
        assert traces(paths) == []


@pytest.fixture
def second(scratch):
    return cluster(scratch / "b" / NAME, f"{NAME}-bbbbb")


def tree(folder: Path) -> list[str]:
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*"))


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_command_of_another_folder_is_refused_by_name_of_the_owner(first, second, words):
    before = tree(second.parent.parent)
    done = hardway("-C", second, "lab", *words)
    assert done.returncode == 2, done.stdout + done.stderr
    assert f"lab {NAME}: belongs to the cluster in {first}, and was left as it is.\n" in done.stderr
    assert "fix: give this cluster another metadata.name" in done.stderr
    assert f"or remove that lab first with `hardway lab down {first}`" in done.stderr
    assert "Traceback" not in done.stderr
    assert tree(second.parent.parent) == before
    paths = paths_of(planned(first), first)
    assert owner.marked(paths) == paths.mark


def test_the_lab_is_its_own_folders_to_see_and_to_remove(first):
    assert json.loads(hardway("-C", first, "lab", "status", "-o", "json").stdout)["up"] is True
    done = hardway("-C", first, "lab", "down", "--yes")
    assert (done.returncode, done.stderr) == (0, "")
    assert owner.marked(paths_of(planned(first), first)) is None


def test_a_library_call_of_another_folder_is_refused_too(first, second):
    paths = paths_of(planned(second), second)
    for call in (lambda: network.up(paths, planned(second)), lambda: removal.remove(paths)):
        with pytest.raises(ConfigError, match=f"belongs to the cluster in {first}"):
            call()
    assert owner.marked(paths) == paths.mark


def test_a_folder_that_was_moved_keeps_its_lab_and_a_copy_of_it_has_none(first, scratch):
    copy = shutil.copytree(first, scratch / "copy")
    assert hardway("-C", copy, "lab", "status").returncode == 2
    moved = first.rename(scratch / "moved")
    assert hardway("-C", moved, "lab", "status").returncode == 0
    network.up(paths_of(planned(moved), moved), planned(moved))
    assert hardway("-C", copy, "lab", "status").returncode == 2


def test_a_folder_that_is_gone_leaves_a_lab_that_can_be_removed_by_name(first, second):
    shutil.rmtree(first)
    done = hardway("-C", second, "lab", "up")
    assert done.returncode == 2
    assert f"or remove that lab first with `hardway lab down --name {NAME}`" in done.stderr
    assert hardway("lab", "down", "--name", NAME, "--yes").returncode == 0
    owner.demand(paths_of(planned(second), second))


def test_a_cluster_that_was_planned_anew_has_no_part_in_the_old_ones_nodes(first):
    (first / "assets/plan/infra-id").write_text(f"{NAME}-ccccc\n")
    with pytest.raises(ConfigError, match=f"its nodes are those of the cluster {NAME}-aaaaa; .* has {NAME}-ccccc now"):
        owner.settle(paths_of(planned(first), first))


def test_a_lab_of_an_earlier_version_names_no_folder_and_can_be_removed_by_name(first):
    paths = paths_of(planned(first), first)
    (paths.folder / owner.MARK).write_text(f"{NAME}\n")
    with pytest.raises(ConfigError, match=f"an unknown folder.*\n.*`hardway lab down --name {NAME}`"):
        owner.demand(paths)
    owner.demand(lab_paths(NAME))
