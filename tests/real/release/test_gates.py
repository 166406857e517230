"""Feature gates out of the real manifests."""

from __future__ import annotations

import json

from hardway.release import gates
from tests.support.release import files as release


def test_the_real_manifests_give_every_gate_once_and_for_self_managed_clusters():
    found = gates.read(release.manifests(), "4.18.0")
    assert set(found) == {"Default", "TechPreviewNoUpgrade", "DevPreviewNoUpgrade"}
    known = {frozenset(on) | frozenset(off) for on, off in found.values()}
    assert len(known) == 1
    for on, off in found.values():
        assert not set(on) & set(off)
        assert (list(on), list(off)) == (sorted(on), sorted(off))
    hosted = json.loads(release.of_module(release.GATES)["featureGate-Hypershift-Default.yaml"])
    [other] = hosted["status"]["featureGates"]
    assert {row["name"] for row in other["enabled"]} != set(found["Default"][0])
    own = json.loads(release.of_module(release.GATES)["featureGate-SelfManagedHA-Default.yaml"])
    assert {row["name"] for row in own["status"]["featureGates"][0]["enabled"]} == set(found["Default"][0])
