"""bootkube's table: whole and in order."""

from __future__ import annotations

import pytest

from hardway.bootkube import table, text
from hardway.bootkube.operators import table as operators
from hardway.bootkube.renders import STANDS_IN
from hardway.bootkube.table import TABLE, chosen
from hardway.model.errors import ConfigError


def test_names_numbers_and_markers_are_their_own():
    for found in ([r.name for r in TABLE], [r.number for r in TABLE], [r.marker for r in TABLE if r.marker]):
        assert len(set(found)) == len(found)


@pytest.mark.parametrize("row", TABLE, ids=lambda r: r.name)
def test_every_row_is_whole(row):
    assert all((row.why.what, row.why.breaks, row.why.source))
    assert row.reads or row.writes
    assert row.marker in ("", f"{row.name}.done", ".bootkube.done")


def test_every_operator_has_its_stage():
    assert [row.operator for row in TABLE if row.operator] == [row.name for row in operators.TABLE]
    assert set(STANDS_IN) <= {row.name for row in TABLE}


@pytest.mark.parametrize("name", ["etcd-bootstrap", "5", "etcd"])
def test_a_stage_is_found_by_name_number_or_operator(name):
    assert table.find(name).name == "etcd-bootstrap"


def test_a_stage_that_is_not_there_is_hinted_at():
    with pytest.raises(ConfigError, match="did you mean mco-bootstrap"):
        table.find("mco-bootstap")


def test_a_part_of_the_stages():
    first, last = table.find("mco-bootstrap"), table.find("wait-for-etcd")
    names = ["mco-bootstrap", "api-dns-resolved", "api-int-dns-resolved", "cco-bootstrap", "wait-for-etcd"]
    assert [row.name for row in chosen(first=first, last=last)] == names
    assert chosen(only=first) == (first,)
    assert chosen(first=last, last=first) == ()


def test_reads_and_writes_are_computed_from_the_call():
    row = table.find("kube-apiserver-bootstrap")
    assert "/opt/openshift/tls" in row.reads
    assert "/etc/kubernetes/bootstrap-configs/kube-apiserver-config.yaml" in row.writes
    assert "/opt/openshift/kube-apiserver-bootstrap/config" not in row.reads


def test_the_texts_name_all():
    listed = text.listed(TABLE)
    assert all(row.name in listed for row in TABLE)
    assert "marker      /opt/openshift/etcd-bootstrap.done" in text.explained(table.find("etcd"))
