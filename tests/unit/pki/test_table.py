"""Assumptions on the tables themselves."""

from __future__ import annotations

from typing import Any

from hardway.pki import bundles, families, keys
from hardway.pki.row import FAMILIES, no_sans
from hardway.pki.spec import Spec

BY_NAME = {row.name: row for row in families.TABLE}


def test_names_are_unique():
    assert len(BY_NAME) == len(families.TABLE)


def test_every_signer_is_an_authority_of_the_table_and_comes_first():
    seen = set()
    for row in families.TABLE:
        if row.signer:
            assert row.signer in seen
            assert BY_NAME[row.signer].is_ca
        seen.add(row.name)


def test_authorities_have_no_usages_and_leaves_have():
    for row in families.TABLE:
        assert bool(row.says.usages) != row.is_ca


def test_servers_have_names_and_clients_have_none():
    for row in families.TABLE:
        assert (row.sans is not no_sans) == (
            "server" in row.says.usages and row.name not in ("admin-kubeconfig-client", "journal-gatewayd")
        )


def test_a_leaf_does_not_outlive_its_signer():
    order = ["joining", "short", "1y", "3y", "5y", "10y"]
    for row in families.TABLE:
        if row.signer:
            assert order.index(row.lifetime) <= order.index(BY_NAME[row.signer].lifetime)


def test_bundles_hold_authorities_of_the_table():
    for bundle in bundles.TABLE:
        assert all(BY_NAME[signer].is_ca for signer in bundle.signers)


def test_the_families_are_the_six_of_the_notes_and_each_has_members():
    assert {row.family for row in families.TABLE} | {"service-account"} == set(FAMILIES)
    assert len(FAMILIES) == 6


def test_every_row_has_a_whole_reason():
    rows: tuple[Any, ...] = (*families.TABLE, *bundles.TABLE, *keys.TABLE)
    for row in rows:
        assert all((row.why.what, row.why.readers, row.why.breaks, row.why.source)), row.name


def test_what_a_certificate_does_not_say_is_not_in_the_record_of_a_build():
    """So that a new field, whose default is what was so far, makes no old certificate stale."""
    said = Spec(common_name="a", usages=("client",), hours=24)
    assert repr(said) == "Spec(common_name='a', usages=('client',), hours=24)"


def test_every_row_leaves_to_the_cluster_what_is_the_clusters():
    for row in families.TABLE:
        assert (row.says.ca, row.says.hours, row.says.dns_names, row.says.addresses) == (False, 0, (), ())
