"""Pictures of the graph: of all of it, of a stage, of a family of the PKI."""

from __future__ import annotations

import re

import pytest

from hardway.graph import dot
from hardway.pki.assets import of_family
from hardway.pki.row import FAMILIES
from hardway.stages.table import BUILT
from hardway.workspace.folder import open_workspace
from tests.support.clusters import install_config
from tests.support.edited import dumped

COLOURS = {stage.number: stage.colour for stage in BUILT}
MOST_ARROWS, LONGEST = 500, 50_000  # what Mermaid draws unless it is told otherwise


@pytest.fixture
def workspace(tmp_path):
    (tmp_path / "install-config.yaml").write_text(dumped(install_config()))
    return open_workspace(tmp_path)


@pytest.fixture
def whole(workspace):
    return workspace.graph


def test_a_stage_has_its_assets_and_their_direct_inputs(whole):
    own = {address for address, asset in whole.items() if asset.stage == "06"}
    shown = whole.around(own)
    assert own < set(shown) == own | {need for address in own for need in whole[address].needs}
    assert {address: shown[address].needs for address in own} == {address: whole[address].needs for address in own}
    assert not any(asset.needs for address, asset in shown.items() if address not in own)


def test_every_part_of_the_pki_is_in_a_family(workspace, whole):
    drawn = {address for family in FAMILIES for address in of_family(family, workspace.loaded.cluster)}
    made = {address for address, asset in whole.items() if asset.stage == "05"}
    assert made - drawn == {"key/bootstrap-ssh", "pub/bootstrap-ssh"}
    assert drawn <= made


def test_etcd_has_a_family_of_its_own(workspace, whole):
    shown = whole.around(of_family("etcd", workspace.loaded.cluster))
    assert {"cert/etcd-signer", "key/etcd-peer-master-0", "bundle/etcd-ca-bundle"} <= set(shown)
    assert all("etcd" in address for address in shown)


def test_mermaid_has_the_arrows_of_the_graph(whole):
    text = dot.mermaid(whole, COLOURS)
    names = dict(re.findall(r'^  (a\d+)\["(.+)"\]:::stage\d\d$', text, re.MULTILINE))
    arrows = re.findall(r"^  (a\d+) --> (a\d+)$", text, re.MULTILINE)
    wanted = {(need, address) for address, asset in whole.items() for need in asset.needs}
    assert list(names.values()) == list(whole)
    assert {(names[start], names[end]) for start, end in arrows} == wanted
    assert set(re.findall(r"classDef stage(\d\d)", text)) == {asset.stage for asset in whole.values()}
    assert len(arrows) == len(wanted) <= MOST_ARROWS
    assert len(text) <= LONGEST
