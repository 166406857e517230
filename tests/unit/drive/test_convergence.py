"""Stage 16: operators in groups, the first blocker, known stalls, and time that progress gives."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, cast

import pytest

from hardway.drive import loop
from hardway.drive.convergence import causes, grouped, missing, progress
from hardway.drive.events import Event
from hardway.drive.live import LiveCluster
from hardway.drive.loop import Options, drive
from hardway.drive.milestones.table import BY_NAME
from hardway.drive.objects import operator
from hardway.drive.observation import Observation, OperatorSeen, VersionSeen
from hardway.model.errors import CheckError
from tests.unit.drive.test_decide import CLUSTER, WITH_WORKERS
from tests.unit.release.test_stalls import ROUTERS

VERSION = CLUSTER.release.version


def well(name: str, **changes: Any) -> OperatorSeen:
    return replace(OperatorSeen(name=name, available=True, degraded=False, version=VERSION), **changes)


def ill(name: str, message: str = "", **changes: Any) -> OperatorSeen:
    return well(name, available=False, version="", message=message, said=message, **changes)


def seen(*rows: OperatorSeen, message: str = "") -> Observation:
    return replace(WITH_WORKERS, operators=rows, version=VersionSeen(syncing=True, message=message))


def test_the_first_blocker_stands_in_full_and_what_waits_for_it_is_only_named():
    o = seen(well("dns"), ill("authentication", "long"), ill("console", "longer"), ill("ingress", "no router"))
    assert missing(o, CLUSTER) == (
        "ingress is not Available: no router; behind it: authentication, console; 1 of 4 ClusterOperators are done"
    )


def test_blockers_that_do_not_depend_on_each_other_are_all_told_the_one_with_most_behind_it_first():
    o = seen(ill("machine-config", "F22"), ill("service-ca", "x"), ill("authentication"), ill("olm"))
    found = grouped(o.operators, VERSION)
    assert [(row.row.name, row.behind) for row in found.blockers] == [
        ("service-ca", ("authentication", "olm")),
        ("machine-config", ()),
    ]
    assert found.all == 4


def test_without_the_pod_network_everything_waits_for_it_also_an_operator_of_your_own():
    o = seen(ill("network", "x"), ill("mine"), ill("ingress"), ill("console"))
    [only] = grouped(o.operators, VERSION).blockers
    assert (only.row.name, only.behind) == ("network", ("console", "ingress", "mine"))


def test_one_that_is_only_at_another_version_blocks_nobody():
    o = seen(well("network", version="4.17.0"), ill("ingress", "x"))
    assert missing(o, CLUSTER) == (
        f"ingress is not Available: x; not yet at {VERSION}: network; 0 of 2 ClusterOperators are done"
    )


def test_nothing_is_missing_when_all_are_done():
    assert missing(seen(well("dns"), well("etcd", progressing=True)), CLUSTER) == ""
    assert missing(seen(), CLUSTER) == "the first ClusterOperator"


def test_a_known_stall_has_its_meaning_and_its_fix_and_others_what_the_table_says():
    [first] = causes(seen(ill("ingress", "cut off"), ill("console")), CLUSTER)
    assert first.text.startswith("ingress comes first, before console: it waits for two nodes that are no masters")
    assert first.failures == ()
    [known] = causes(seen(replace(ill("ingress", "short"), said=ROUTERS)), CLUSTER)
    assert known.text.startswith("ingress: no node accepts its pods")
    assert (known.failures, "hardway approve" in known.fix) == (("F54",), True)
    assert known.normal.startswith("Degraded, after a minute")
    [own] = causes(seen(ill("mine", "x")), CLUSTER)
    assert (own.fix, own.evidence) == ("`oc describe co mine`", "mine is not Available: x")


def test_all_conditions_that_are_wrong_are_read_whole():
    """The cause is at the end of a sentence of a thousand characters."""
    wrong = {"type": "Degraded", "status": "True", "reason": "IngressDegraded", "message": ROUTERS}
    fine = {"type": "Progressing", "status": "False", "reason": "AsExpected", "message": "quiet"}
    found = operator({"metadata": {"name": "ingress"}, "status": {"conditions": [wrong, fine]}})
    assert "untolerated taint" in found.said
    assert "quiet" not in found.said
    assert "untolerated taint" not in found.message


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (seen(ill("dns")), seen(well("dns"))),
        (seen(well("dns", degraded=True)), seen(well("dns"))),
        (seen(well("dns", version="")), seen(well("dns"))),
        (seen(well("dns")), seen(well("dns"), ill("etcd"))),
        (
            seen(well("etcd", progressing=True, said="NodeInstallerProgressing: 1 node is at revision 5")),
            seen(well("etcd", progressing=True, said="NodeInstallerProgressing: 2 nodes are at revision 5")),
        ),
        (
            seen(well("dns"), message="Working towards 4.18.0: 812 of 900 done (90% complete)"),
            seen(well("dns"), message="Working towards 4.18.0: 813 of 900 done (90% complete)"),
        ),
    ],
)
def test_progress_is_what_was_not_there_before(before: Observation, after: Observation):
    assert progress(after, CLUSTER) - progress(before, CLUSTER)


def test_other_words_alone_are_no_progress():
    one, other = (seen(ill("dns", f"failed at {when}")) for when in ("16:20", "16:21"))
    assert progress(one, CLUSTER) == progress(other, CLUSTER)


class Machines:
    def remember(self, milestones: object) -> None:
        """Nobody asks for it here."""


def driven(monkeypatch: pytest.MonkeyPatch, observations: Iterator[Observation]) -> tuple[float, CheckError]:
    """How long it went on with a limit of 0.3 s, and how it ended."""
    monkeypatch.setattr(loop, "observe", lambda live: next(observations))
    nobody = dict.fromkeys(("assets", "api", "apis", "members"), cast("Any", None))
    events: list[Event] = []
    options = Options(pause=0.05, patience=0.3 / BY_NAME["operators"].seconds)
    begun = time.monotonic()
    with ThreadPoolExecutor(1) as pool:
        live = LiveCluster(cluster=CLUSTER, machines=cast("Any", Machines()), pool=pool, **nobody)
        with pytest.raises(CheckError) as stalled:
            drive(live, events.append, options)
    assert events[-1].kind == "stalled"
    return time.monotonic() - begun, stalled.value


def test_progress_gives_time_and_its_end_is_told_with_the_blocker(monkeypatch: pytest.MonkeyPatch):
    def steps() -> Iterator[Observation]:
        end = time.monotonic() + 1.5
        count = 0
        while time.monotonic() < end:
            count += 1
            yield seen(ill("ingress", "no router"), message=f"Working towards 4.18.0: {count} of 900 done")
        while True:
            yield seen(ill("ingress", "no router"), ill("console"), message="stuck")

    seconds, error = driven(monkeypatch, steps())
    assert seconds > 1.5
    lines = str(error).splitlines()
    assert lines[0].startswith("stage 16, operators: not reached, and no progress in 0 s (")
    assert "    cause: ingress comes first, before console: it waits for two nodes" in str(error)
    assert lines[-1].startswith("    fix: are workers Ready")


def test_an_operator_that_goes_to_and_fro_gets_no_time(monkeypatch: pytest.MonkeyPatch):
    def steps() -> Iterator[Observation]:
        end = time.monotonic() + 60
        while time.monotonic() < end:
            yield seen(ill("ingress", "x"), well("dns"))
            yield seen(ill("ingress", "x"), ill("dns", "y"))
        pytest.fail("it went on, although nobody came further")

    driven(monkeypatch, steps())
