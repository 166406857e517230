"""How a cluster on machines of your own stands, as people read it."""

from __future__ import annotations

import re

import pytest

from hardway.cli.own.standing import print_standing
from hardway.drive.convergence import causes, missing
from hardway.places.milestones import MilestoneRow
from hardway.places.own.status import Status
from tests.unit.drive.test_convergence import ill, seen, well
from tests.unit.drive.test_decide import CLUSTER


def test_the_first_blocker_is_told_with_what_is_normal_and_the_fix(capsys: pytest.CaptureFixture[str]):
    o = seen(well("dns"), ill("ingress", "Canary route checks are failing"), ill("authentication"))
    row = MilestoneRow(name="operators", stage="16", reached=False, missing=missing(o, CLUSTER))
    found = Status(nodes=(), milestones=(row,), troubles={}, known=causes(o, CLUSTER))
    print_standing(found, "hardway up")
    said = re.sub(r"hardway -C \S+ ", "hardway ", " ".join(capsys.readouterr().out.split()))
    assert said == (
        "reached 0 of 1 milestone "
        "next 16 operators: waits for ingress is not Available: Canary route checks are failing; behind it: "
        "authentication; 1 of 3 ClusterOperators are done; `hardway up` continues "
        "cause ingress comes first, before authentication: the routers run, and the canary route does not answer "
        "through `*.apps` "
        "normal: Degraded, after a minute in which its canary route cannot be reached "
        "fix: `hardway network check --expect cluster`: `*.apps` must lead to the load balancer, and it to nodes with "
        "routers"
    )
    assert found.as_dict()["known"][0]["failures"] == ("F33",)
