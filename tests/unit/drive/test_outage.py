"""Why the API is silent, from pictures of everything below it."""

from __future__ import annotations

from dataclasses import replace

from hardway.drive.observation import Observation
from hardway.drive.outage import Outage
from tests.unit.drive.test_decide import CLUSTER, GROWN

NAMES = frozenset({"bootstrap", "master-0", "master-1", "master-2"})
WELL = replace(GROWN, etcd_well=NAMES, serving=NAMES, balanced=dict.fromkeys(NAMES, "up"))


def cause(observation: Observation) -> str:
    """After a turn in which all was well."""
    outage = Outage(CLUSTER)
    assert outage.cause(WELL) == ""
    return outage.cause(observation)


def test_a_majority_that_is_gone_is_named_even_if_nobody_can_list_the_members_any_more():
    left = replace(WELL, etcd=None, etcd_well=frozenset({"bootstrap", "master-0"}), serving=frozenset())
    assert cause(left) == "etcd has no majority: of 4 voters, master-1, master-2 does not answer"


def test_one_member_of_four_may_be_away_and_requests_wait_for_a_moment():
    seen = replace(WELL, etcd_well=NAMES - {"master-0"})
    assert cause(seen) == "etcd continues without master-0; requests to it wait"


def test_api_servers_that_are_not_ready():
    assert cause(replace(WELL, serving=frozenset())) == "no API server is ready"


def test_a_ready_one_that_the_load_balancer_has_not_found():
    seen = replace(WELL, serving=frozenset({"master-0"}), balanced={"master-0": "down", "bootstrap": "out"})
    assert cause(seen) == "the load balancer uses none of the ready API servers (master-0)"
