"""For each check of stage 03 a planted defect: exactly that check must find it."""

from __future__ import annotations

import pytest

from hardway.checks.files.table import PLAN
from hardway.model.check import run
from tests.support.trees import spare


def replace(world, path, old, new):
    file = world.root / path
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))


def plant_missing(world):
    (world.root / "plan/map.md").unlink()


def plant_other_address(world):
    replace(world, "plan/cluster.yaml", "192.168.126.102", "192.168.126.202")


def plant_stranger(world):
    replace(world, "plan/cluster.yaml", "- name: worker-1", "- name: worker-9")


def plant_other_vip(world):
    replace(world, "plan/cluster.yaml", '"192.168.126.11"', '"192.168.126.12"')


def plant_other_domain(world):
    replace(world, "plan/cluster.yaml", "domain: ocp4.example.com", "domain: example.com")


def plant_notes_infra_id(world):
    """The name in the notes: six characters, with vowels."""
    old = (world.root / "plan/infra-id").read_text().strip()
    (world.root / "plan/infra-id").write_text("ocp4-abc123")
    replace(world, "metadata.json", old, "ocp4-abc123")


def plant_other_metadata(world):
    replace(world, "metadata.json", (world.root / "plan/cluster-id").read_text().strip(), "other")


PLANTED = [
    ("plan.present", plant_missing),
    ("plan.nodes", plant_other_address),
    ("plan.nodes", plant_stranger),
    ("plan.endpoints", plant_other_vip),
    ("plan.endpoints", plant_other_domain),
    ("plan.identity", plant_notes_infra_id),
    ("plan.identity", plant_other_metadata),
]


@pytest.mark.parametrize(("check", "plant"), PLANTED, ids=[p.__name__ for _, p in PLANTED])
def test_a_planted_defect_is_found_by_its_check_and_no_other(check, plant):
    world = spare("default")
    plant(world)
    found = run(PLAN, world).findings
    assert {f.check for f in found} == {check}
    assert all(f.fix and f.message for f in found)


@pytest.mark.parametrize("variant", ["default", "single", "dual-stack", "ipv6"])
def test_a_good_tree_has_no_finding(variant):
    assert run(PLAN, spare(variant)).findings == ()


def test_every_check_has_a_planted_defect():
    assert {check for check, _ in PLANTED} == {check.name for check in PLAN}
