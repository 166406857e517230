"""Every address that the graph shows can be explained."""

from __future__ import annotations

import pytest

from hardway.explain.registry import find
from tests.support.trees import built


@pytest.mark.parametrize("variant", ["default", "single", "mirrors"])
def test_every_address_of_the_graph_is_explained(variant):
    workspace = built(variant)
    for address in workspace.graph:
        explanation = find(workspace, address)
        assert explanation is not None
        assert explanation.path == workspace.graph[address].path
