"""The ClusterOperators of a vendor's release: the table, the guide's page, and the way to explain one."""

from __future__ import annotations

from pathlib import Path

from hardway.explain.charts.release import cluster_operators
from hardway.explain.convergence import operators, stalls, written
from hardway.lines.default import DEFAULT
from hardway.release.components.table import TABLE as IMAGES
from hardway.release.convergence import TABLE, needed
from hardway.workspace.folder import open_or_example

PAGE = Path(__file__).parents[3] / "docs" / "guide" / "vendor-release.md"


def test_the_page_has_the_table_as_it_is():
    text = PAGE.read_text()
    assert operators() in text
    assert stalls() in text
    assert written(text) == text
    assert f"{len(TABLE)} operators report" in text


def test_rows_are_in_the_order_of_their_names_and_say_everything():
    names = [row.name for row in TABLE]
    assert names == sorted(set(names))
    assert all(row.why.what and row.why.breaks and row.why.source and row.waits and row.do for row in TABLE)


def test_capabilities_are_those_of_the_line():
    named = {row.capability for row in TABLE} - {""}
    assert named <= set(DEFAULT.capabilities)
    assert {"Ingress", "Console", "MachineAPI", "baremetal"} <= named


def test_every_row_names_a_path_of_its_repository():
    assert [row.name for row in TABLE if len(row.why.source.split()) != 3] == []


def test_what_an_operator_waits_for_is_an_operator_too():
    """Names with a dash in `waits` are operators': a misspelt one would be found nowhere."""
    names = {row.name for row in TABLE}
    words = {word.strip(",;.") for row in TABLE for word in row.waits.split() if "-" in word}
    assert {w for w in words if w.islower() and w not in names} <= {"api-int"}


def test_the_needs_are_those_that_the_text_names():
    """In both directions, so that neither is changed alone."""
    names = {row.name for row in TABLE}
    for row in TABLE:
        words = {word.strip(",;.") for word in row.waits.split()}
        assert set(row.needs) == words & names - {row.name}, row.name


def test_an_operator_needs_what_its_needs_need_and_never_itself():
    assert needed("authentication") == {"service-ca", "openshift-apiserver", "ingress", "etcd", "network"}
    assert (needed("network"), needed("one-of-your-own")) == (frozenset(), {"network"})
    assert [row.name for row in TABLE if row.name in needed(row.name)] == []


def test_their_repositories_are_those_of_the_images():
    known = {row.why.source.split()[0].rpartition("/")[2] for row in IMAGES}
    ours = {row.why.source.split()[0].partition("/")[2] for row in TABLE}
    assert ours - known == set()


def test_each_can_be_explained(tmp_path):
    found = {entry.address: dict(entry.facts) for entry in cluster_operators(open_or_example(tmp_path))}
    assert found["clusteroperator/image-registry"]["is normal"] == (
        "Removed: platform none has no storage for it (F36)"
    )
    assert len(found) == len(TABLE)
