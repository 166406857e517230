"""The real Ignition reads every file, and lays it out: what is on the disk afterwards is what the plan says."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from hardway.workspace.folder import Workspace
from tests.support.clusters import VARIANTS
from tests.support.ignition.files import files, units
from tests.support.ignition.tool import laid_out, validate
from tests.support.trees import built

SYSTEM = {"etc/motd": b"the system's own words\n"}
MADE_BY_IGNITION = {"etc/.ignition-result.json", "etc/systemd/system-preset/20-ignition.preset"}
MADE_BY_USERADD = {
    "etc/passwd",
    "etc/group",
    "etc/shadow",
    "etc/gshadow",
    "etc/passwd-",
    "etc/shadow-",
    "etc/.pwd.lock",
}
KEYS = "home/core/.ssh/authorized_keys.d/ignition"


def configs(workspace: Workspace) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in sorted(workspace.store.root.glob("*.ign"))}


@pytest.mark.parametrize("variant", VARIANTS)
def test_ignition_has_nothing_to_say_against_any_file(variant: str) -> None:
    found = configs(built(variant))
    cluster = built(variant).loaded.cluster
    assert len(found) == 1 + len(cluster.masters) + len(cluster.workers)
    assert {name: validate(content) for name, content in found.items()} == dict.fromkeys(found, "")


def test_the_judge_refuses_what_is_wrong() -> None:
    config = json.loads(configs(built())["master-0.ign"])
    config["storage"]["files"].append(config["storage"]["files"][0])
    assert "duplicate entry defined" in validate(json.dumps(config).encode())


@pytest.mark.parametrize(
    ("variant", "name"),
    [
        ("default", "bootstrap.ign"),
        ("single", "bootstrap.ign"),
        ("compact", "bootstrap.ign"),
        ("dual-stack", "bootstrap.ign"),
        ("proxy", "bootstrap.ign"),
        ("fips", "bootstrap.ign"),
        ("default", "master-0.ign"),
        ("dual-stack", "master-2.ign"),
        ("default", "worker-1.ign"),
    ],
)
def test_the_disk_after_the_first_boot_is_the_plan(variant: str, name: str) -> None:
    config = configs(built(variant))[name]
    with laid_out(config) as root:
        check_files(config, root)
        check_units(config, root)
        check_keys(config, root)
        assert everything(root) == planned(config)


def check_files(config: bytes, root: Path) -> None:
    for path, file in files(config).items():
        there = root / path.lstrip("/")
        expected = SYSTEM.get(path.lstrip("/"), b"") * file.append + file.content
        assert there.read_bytes() == expected, path
        assert there.stat().st_mode & 0o7777 == file.mode, path
        assert (there.stat().st_uid, there.stat().st_gid) == (0, 0), path
        assert not any(parent.is_symlink() for parent in there.parents if parent.is_relative_to(root)), path


def check_units(config: bytes, root: Path) -> None:
    folder = root / "etc/systemd/system"
    for name, unit in units(config).items():
        if unit.get("contents"):
            assert (folder / name).read_text() == unit["contents"]
        for dropin in unit.get("dropins", ()):
            assert (folder / f"{name}.d" / dropin["name"]).read_text() == dropin["contents"]
    preset = (root / "etc/systemd/system-preset/20-ignition.preset").read_text()
    enabled = {name for name, unit in units(config).items() if unit.get("enabled")}
    assert {line.split()[1] for line in preset.splitlines() if line.startswith("enable")} == enabled


def check_keys(config: bytes, root: Path) -> None:
    (user,) = json.loads(config)["passwd"]["users"]
    assert (root / KEYS).read_text().splitlines() == user["sshAuthorizedKeys"]
    assert (root / KEYS).stat().st_mode & 0o7777 == 0o600


def everything(root: Path) -> set[str]:
    return {str((Path(folder) / name).relative_to(root)) for folder, _, names in os.walk(root) for name in names}


def planned(config: bytes) -> set[str]:
    laid = {path.lstrip("/") for path in files(config)}
    whole = {f"etc/systemd/system/{name}" for name, unit in units(config).items() if unit.get("contents")}
    dropins = {
        f"etc/systemd/system/{name}.d/{dropin['name']}"
        for name, unit in units(config).items()
        for dropin in unit.get("dropins", ())
    }
    return laid | whole | dropins | set(SYSTEM) | MADE_BY_IGNITION | MADE_BY_USERADD | {KEYS}
