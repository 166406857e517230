"""The components that `--source` knows: each is whole, and none is in the way of another."""

from __future__ import annotations

import pytest

from hardway.labrelease.checkouts.table import BY_NAME, TABLE
from hardway.labrelease.images import table as images
from hardway.labrelease.images.table import Data, Own, Program
from hardway.labrelease.operator import table as reported
from hardway.release.convergence import TABLE as OPERATORS

ADDED = [kit for kit in TABLE if kit.images]


def test_every_component_of_an_image_of_the_release_can_come_from_a_checkout():
    used = {part.component for row in images.TABLE for part in row.parts if not isinstance(part, Own)}
    assert used == set(BY_NAME) - {kit.name for kit in ADDED}
    assert len(BY_NAME) == len(TABLE)


def test_a_pinned_component_adds_no_rows_and_has_those_of_the_tables():
    for kit in (kit for kit in TABLE if kit not in ADDED):
        assert kit.packed, kit.name
        assert (kit.sources, kit.operators) == ((), ()), kit.name


@pytest.mark.parametrize("kit", ADDED, ids=lambda kit: kit.name)
def test_an_added_component_packs_what_it_compiles_and_brings_what_it_copies(kit):
    [image] = kit.images
    assert image.name not in {row.name for row in images.TABLE}
    programs = [part.name for part in image.parts if isinstance(part, Program)]
    assert programs == [program.file for program in kit.component.programs]
    folders = {part.folder for part in image.parts if isinstance(part, Data)}
    assert folders == set(kit.component.data)
    assert {row.folder for row in kit.sources} <= folders
    assert image.operator == bool(kit.sources)
    assert kit.component.why.what
    assert kit.component.why.breaks
    assert "openshift/" in kit.component.why.source


def test_what_is_reported_on_is_a_cluster_operator_and_the_labs_own_are_all_accounted_for():
    told = {name for kit in TABLE for name in kit.operators}
    assert told <= {row.name for row in OPERATORS}
    assert told == set(reported.names()) - {"etcd", "kube-apiserver"}
