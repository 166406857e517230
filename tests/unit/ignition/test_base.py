"""Reading MCO's render: what is accepted, and how each defect is told."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from hardway.ignition.assets import assets
from hardway.ignition.base import read_base
from hardway.lines.default import DEFAULT
from hardway.model.errors import ConfigError
from tests.support.clusters import install_config, load_cluster
from tests.support.edited import edit_file
from tests.support.trees import MCO_BASE

MASTER = "rendered-master-2f0c4b1f7a5c2f9e6b1d3a4850e7c6d9"
WORKER = "rendered-worker-7b93d2a41e0c58f6a2d1c4e9f3b80756"


@pytest.fixture
def render(tmp_path: Path) -> Path:
    shutil.copytree(MCO_BASE, tmp_path / "mco")
    return tmp_path / "mco"


def change(folder: Path, edit: Callable[[dict[str, Any]], Any], name: str = MASTER) -> Path:
    file = folder / f"{name}.yaml"
    edit_file(file, edit)
    return file


def problems(folder: Path) -> list[Any]:
    with pytest.raises(ConfigError) as caught:
        read_base(folder, DEFAULT)
    return list(caught.value.problems)


def test_both_pools_are_read(render: Path) -> None:
    base = read_base(render, DEFAULT)
    assert {pool: b.name for pool, b in base.items()} == {"master": MASTER, "worker": WORKER}
    assert base["master"].config["ignition"]["version"] == "3.4.0"


def test_json_and_the_folder_that_mco_writes_are_read_too(render: Path) -> None:
    below = render / "out" / "machine-configs"
    below.mkdir(parents=True)
    for file in render.glob("*.yaml"):
        (below / f"{file.stem}.json").write_text(json.dumps(yaml.safe_load(file.read_text())))
    again = read_base(render / "out", DEFAULT)
    assert {p: b.machine_config for p, b in again.items()} == {
        p: b.machine_config for p, b in read_base(render, DEFAULT).items()
    }


def test_another_content_has_another_digest(render: Path) -> None:
    before = read_base(render, DEFAULT)["master"].digest
    change(render, lambda d: d["spec"]["kernelArguments"].append("quiet"))
    assert read_base(render, DEFAULT)["master"].digest != before


def test_an_empty_folder_is_told_with_what_belongs_there(tmp_path: Path) -> None:
    (problem,) = problems(tmp_path)
    assert problem.rule == "mco.missing"
    assert "rendered-master" in problem.fix


def set_version(document: dict[str, Any], version: object) -> None:
    document["spec"]["config"]["ignition"]["version"] = version


def repeat(document: dict[str, Any], section: str, key: str) -> None:
    entries = document["spec"]["config"][section][key]
    entries.append(entries[0])


def below_a_link(document: dict[str, Any]) -> None:
    document["spec"]["config"]["storage"]["links"] = [{"path": "/etc/kubernetes", "target": "/opt"}]


def pointer(document: dict[str, Any]) -> None:
    document["spec"]["config"]["ignition"]["config"] = {"merge": [{"source": "https://api-int:22623/config/master"}]}


@pytest.mark.parametrize(
    ("edit", "rule", "words"),
    [
        (lambda d: d.update(kind="MachineConfigPool"), "mco.kind", "not a MachineConfig"),
        (lambda d: d.update(apiVersion="v1"), "mco.kind", "not a MachineConfig"),
        (lambda d: d["metadata"].update(name="00-master"), "mco.name", "'00-master'"),
        (lambda d: d["metadata"].update(name=WORKER), "mco.name", "pool master"),
        (lambda d: d.update(spec={}), "mco.config", "not an Ignition config"),
        (lambda d: d["spec"].update(config={"storage": {}}), "mco.config", "not an Ignition config"),
        (lambda d: set_version(d, "2.2.0"), "mco.version", "'2.2.0'"),
        (lambda d: set_version(d, None), "mco.version", "None"),
        (lambda d: set_version(d, "3.6.0-experimental"), "mco.version", "experimental"),
        (pointer, "mco.pointer", "fetch"),
        (
            lambda d: repeat(d, "storage", "files"),
            "mco.duplicate",
            "/etc/kubernetes/apiserver-url.env is there 2 times",
        ),
        (lambda d: repeat(d, "systemd", "units"), "mco.duplicate", "unit kubelet.service is there 2 times"),
        (lambda d: repeat(d, "passwd", "users"), "mco.duplicate", "user core is there 2 times"),
        (below_a_link, "mco.duplicate", "below the symbolic link /etc/kubernetes"),
        (lambda d: d["spec"]["config"]["storage"]["files"].append({"mode": 420}), "mco.config", "without a path"),
        (lambda d: d["spec"]["config"]["storage"].update(files=["/etc/a"]), "mco.config", "without a path"),
    ],
)
def test_a_defect_is_told_with_file_place_and_fix(
    render: Path, edit: Callable[[dict[str, Any]], Any], rule: str, words: str
) -> None:
    file = change(render, edit)
    found = problems(render)
    assert {p.rule for p in found} == {rule}
    assert all(p.file == str(file) and p.fix for p in found)
    assert any(words in p.message for p in found)


def test_the_defects_of_both_pools_are_told_at_once(render: Path) -> None:
    change(render, lambda d: set_version(d, "2.2.0"))
    change(render, lambda d: d.update(kind="Pod"), WORKER)
    assert {p.rule for p in problems(render)} == {"mco.version", "mco.kind"}


def test_what_is_no_yaml_is_told_with_its_line(render: Path) -> None:
    (render / f"{MASTER}.yaml").write_text("kind: MachineConfig\nspec: [\n")
    (problem,) = problems(render)
    assert problem.rule == "mco.syntax"
    assert problem.line == 3


def test_bytes_that_are_no_text_are_told(render: Path) -> None:
    (render / f"{MASTER}.yaml").write_bytes(b"\xff\xfe\xff")
    assert [p.rule for p in problems(render)] == ["mco.syntax"]


def test_two_candidates_are_not_chosen_between(render: Path) -> None:
    shutil.copy(render / f"{MASTER}.yaml", render / "rendered-master-00000000000000000000000000000000.yaml")
    (problem,) = problems(render)
    assert problem.rule == "mco.several"
    assert MASTER in problem.message


def test_a_pool_that_the_plan_needs_is_missed(render: Path) -> None:
    (render / f"{WORKER}.yaml").unlink()
    cluster = load_cluster(install_config(3, 2)).cluster
    with pytest.raises(ConfigError, match="no rendered worker config"):
        assets(cluster, (), base=read_base(render, DEFAULT))


def test_a_pool_that_the_plan_does_not_need_is_not_missed(render: Path) -> None:
    (render / f"{WORKER}.yaml").unlink()
    cluster = load_cluster(install_config(3, 0)).cluster
    made = assets(cluster, (), base=read_base(render, DEFAULT))
    assert [a.path for a in made] == ["bootstrap.ign", "master-0.ign", "master-1.ign", "master-2.ign"]


def test_without_a_render_only_the_bootstrap_node_has_a_file() -> None:
    made = assets(load_cluster().cluster, ())
    assert [a.address for a in made] == ["ignition/bootstrap"]
