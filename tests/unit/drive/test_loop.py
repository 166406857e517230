"""What a turn decides is carried out: what ends a wait first, and machines side by side."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

from hardway.drive.act import act
from hardway.drive.decide import Action
from hardway.drive.live import LiveCluster
from hardway.drive.loop import carried_out
from hardway.drive.machines import ByHand
from hardway.model.errors import ToolError
from tests.unit.drive.test_decide import CLUSTER, MASTERS


class Power:
    """Machines that only come up if all of them are told to at the same time."""

    def __init__(self, count: int) -> None:
        self.all = threading.Barrier(count)
        self.told: list[str] = []

    def keeps_data(self, node: str) -> bool:
        return True

    def start(self, node: str) -> None:
        self.all.wait(timeout=10)
        self.told.append("start")
        if node == "master-1":
            raise ToolError("no power")

    def drop_backend(self, node: str) -> None:
        self.told.append("drop")


def test_machines_start_side_by_side_after_all_else():
    power = Power(len(MASTERS))
    starts = [Action(kind="start", node=n.name, text=n.name) for n in MASTERS]
    drop = Action(kind="drop", node="bootstrap", text="bootstrap")
    with ThreadPoolExecutor(len(MASTERS)) as pool:
        nobody = dict.fromkeys(("assets", "api", "apis", "members"), cast("Any", None))
        live = LiveCluster(cluster=CLUSTER, machines=cast("Any", power), pool=pool, **nobody)
        done = [(action.node, outcome.trouble) for action, outcome in carried_out(live, (*starts, drop))]
    assert done == [("bootstrap", ""), ("master-0", ""), ("master-1", "no power"), ("master-2", "")]
    assert power.told == ["drop", "start", "start", "start"]


class Hands:
    """Machines that a person switches."""

    def keeps_data(self, node: str) -> bool:
        return True

    def start(self, node: str) -> None:
        raise ByHand("on", f"switch {node} on")


def test_what_a_person_has_to_do_is_asked_for_and_no_trouble():
    nobody = dict.fromkeys(("assets", "api", "apis", "members", "pool"), cast("Any", None))
    live = LiveCluster(cluster=CLUSTER, machines=cast("Any", Hands()), **nobody)
    done = act(live, Action(kind="start", node="master-0", text="master-0 is off"))
    assert (done.kind, done.asks, done.trouble) == ("asked", "on", "switch master-0 on")
