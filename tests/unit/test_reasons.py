"""A value without a reason fails, and so does a reason without a value."""

from __future__ import annotations

import json

import pytest

from hardway.explain.registry import documents, reasons
from hardway.ignition.reasons import reasons as ignition_reasons
from tests.support import coverage
from tests.support.clusters import VARIANTS
from tests.support.trees import built


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_value_of_every_document_has_a_reason(variant):
    assert coverage.uncovered(built(variant)) == []


def test_every_address_of_a_field_or_flag_stands_at_some_value_of_some_configuration():
    trees = [built(variant) for variant in VARIANTS]
    offered = set().union(*(coverage.offered(t) for t in trees))
    used = set().union(*(coverage.used(t) for t in trees))
    assert sorted(offered - used) == []


@pytest.mark.parametrize("variant", ["default", "single", "proxy"])
def test_every_reason_is_whole(variant):
    """A field may leave out what breaks without it; everything else says so."""
    thin = [
        address
        for address, why in reasons(built(variant)).items()
        if not all((why.what, why.readers, why.source)) or not (why.breaks or address.startswith("field/"))
    ]
    assert thin == []


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_field_does_not_take_over_what_breaks_without_its_document(variant):
    workspace = built(variant)
    known = reasons(workspace)
    for document in documents(workspace):
        for name, why in document.fields.items():
            assert known[f"field/{document.file}#{name}"].breaks == why.breaks
            assert why.breaks != document.why.breaks, f"field/{document.file}#{name}"


@pytest.mark.parametrize("variant", ["default", "proxy", "mirrors"])
def test_every_file_and_unit_of_every_node_has_a_reason(variant):
    workspace = built(variant)
    known = reasons(workspace)
    for node in workspace.loaded.cluster.nodes:
        ign = json.loads(workspace.store.read(f"{node.name}.ign"))
        files = [f"file/{node.role}:{f['path']}" for f in ign["storage"]["files"]]
        units = [f"unit/{node.role}:{u['name']}" for u in ign["systemd"]["units"]]
        assert [a for a in (*files, *units) if a not in known] == []


def test_every_reason_of_a_file_or_unit_has_its_file_or_unit():
    offered, used = set(), set()
    for variant in VARIANTS:
        workspace = built(variant)
        offered |= set(ignition_reasons(workspace.loaded.cluster))
        for node in workspace.loaded.cluster.nodes:
            ign = json.loads(workspace.store.read(f"{node.name}.ign"))
            used |= {f"file/{node.role}:{f['path']}" for f in ign["storage"]["files"]}
            used |= {f"unit/{node.role}:{u['name']}" for u in ign["systemd"]["units"]}
    assert sorted(offered - used) == []
