"""A value without a reason fails, and so does a reason without a value."""

from __future__ import annotations

import json
import re

import pytest

from hardway.explain import atlas
from hardway.explain.atlas import reasons
from hardway.workspace.catalogue import documents, node_reasons
from tests.support import coverage
from tests.support.clusters import VARIANTS
from tests.support.trees import built

ABOUT = (
    "bootkube",
    "order",
    "console",
    "image",
    "component",
    "deviation",
    "difference",
    "program",
    "libvirt",
    "size",
    "term",
)
"""Kinds of rows that tell about others' work: readers and consequences are not always theirs to name."""


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
    """A field may leave out what breaks without it; everything else that is made or checked says so."""
    made = [entry for entry in atlas.entries(built(variant)) if atlas.kind_of(entry.address) not in ABOUT]
    thin = [
        entry.address
        for entry in made
        if not all((entry.why.what, entry.why.readers, entry.why.source))
        or not (entry.why.breaks or entry.address.startswith("field/"))
    ]
    assert thin == []


def test_a_source_names_its_owner_once():
    doubled = [e.address for e in atlas.entries(built("default")) if "openshift/openshift/" in e.why.source]
    assert doubled == []


def test_every_other_entry_has_a_source_or_facts():
    about = [kind for kind in ABOUT if kind != "term"]
    thin = [
        e.address
        for e in atlas.entries(built("default"), about)
        if not e.why.source and not any(dict(e.facts).values())
    ]
    assert thin == []


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_field_does_not_take_over_what_breaks_without_its_document(variant):
    workspace = built(variant)
    known = reasons(workspace)
    for document in documents(workspace.loaded.cluster):
        for name, why in document.fields.items():
            assert known[f"field/{document.file}#{name}"].breaks == why.breaks
            assert why.breaks != document.why.breaks, f"field/{document.file}#{name}"


@pytest.mark.parametrize("variant", ["default", "custom-gates"])
def test_what_breaks_begins_where_its_label_ends(variant):
    """The label says "without it" already."""
    found = [address for address, why in reasons(built(variant)).items() if why.breaks.lower().startswith("without")]
    assert found == []


@pytest.mark.parametrize("variant", ["default", "custom-gates", "proxy"])
def test_a_thing_without_an_effect_says_so(variant):
    """ "without it: nothing" reads as a gap; "no effect: …" gives the reason."""
    bare = re.compile(r"nothing(?!( is| starts| can| signs| applies| answers| reaches| resolves) )(?! starts$)")
    found = [address for address, why in reasons(built(variant)).items() if bare.match(why.breaks)]
    assert found == []


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
        offered |= set(node_reasons(workspace.loaded.cluster))
        for node in workspace.loaded.cluster.nodes:
            ign = json.loads(workspace.store.read(f"{node.name}.ign"))
            used |= {f"file/{node.role}:{f['path']}" for f in ign["storage"]["files"]}
            used |= {f"unit/{node.role}:{u['name']}" for u in ign["systemd"]["units"]}
    assert sorted(offered - used) == []
