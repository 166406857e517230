"""The 36 scored flag checks of CIS 1.11 hold for every cluster, on the command lines as emitted, without a waiver.

That each of them can fail is shown beside the check of `hardway verify` that runs them.
"""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given, settings

from hardway.checks.files import cis
from hardway.checks.files.pods import Pod
from tests.support.clusters import VARIANTS
from tests.support.configs import valid_install_configs
from tests.support.manifests import make
from tests.support.trees import built

PROGRAMS = sorted({rule.program for rule in cis.TABLE})


def failing(pods):
    return [rule.number for rule in cis.TABLE if not rule.holds(pods[rule.program])]


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_check_holds(variant):
    workspace = built(variant)
    texts = {program: workspace.store.read(workspace.graph[f"pod/{program}"].path) for program in PROGRAMS}
    assert failing({p: Pod(p, yaml.load(text, yaml.CSafeLoader)) for p, text in texts.items()}) == []


@settings(max_examples=15)
@given(valid_install_configs())
def test_every_check_holds_for_any_cluster(text):
    tree = make(text)
    assert failing({p: Pod(p, yaml.load(tree.content(f"pod/{p}"), yaml.CSafeLoader)) for p in PROGRAMS}) == []
