"""The page of a lab: how it stands, and what happened."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, replace

from hardway.drive import record
from hardway.drive.events import Event
from hardway.drive.moments import Moment
from hardway.drive.sight import FILE, Seen, Sight
from hardway.io import atomic
from hardway.lab.status import NodeRow, Status
from hardway.page.laboratory import body, kept, page, standing
from hardway.page.playback import MOST_ROWS, few
from hardway.page.site import Site
from hardway.page.timeline import MARK
from hardway.places.milestones import MilestoneRow
from tests.support.clusters import install_config
from tests.support.leaks import forms, leaks, secrets
from tests.support.trees import build_folder, built, write_folder

SITE = Site(workspace=built())
NOW = Status(
    name="ocp4",
    folder="/lab",
    up=True,
    network="192.168.126.0/24",
    release="4.18",
    services={"dnsmasq": True, "haproxy": False},
    nodes=(NodeRow(name="master-0", role="master", address="192.168.126.101", state="running", ready="Ready"),),
    sight=Sight(
        members=(Seen(name="master-0", state="leader"),),
        pods=(Seen(name="kube-apiserver", place="master-0", state="Ready"),),
        leases=(Seen(name="kube-system/kube-scheduler", state="master-2"),),
        requests=(Seen(name="csr-x", place="worker-1", state="serving: pending"),),
    ),
    milestones=(MilestoneRow(name="apis", stage="12", reached=False, missing="master-1 has no API server"),),
    pulse={"requests": 12, "failed": 0},
    finished=False,
    off=(),
)


def test_how_it_stands_comes_before_what_happened():
    text = page(SITE, NOW).body
    for said in ("running", "Ready", "leader", "haproxy does not run", "apis: master-1 has no API server"):
        assert said in text
    assert "12 requests, 0 failed" in text
    assert text.index("<h2>Now</h2>") < text.index("There is no record")


def test_pods_leaders_and_requests_are_shown_with_their_states():
    text = page(SITE, NOW).body
    for cells in (
        ("kube-apiserver", "Ready"),
        ("kube-system/kube-scheduler", "master-2"),
        ("csr-x", "worker-1", "serving: pending"),
    ):
        assert "".join(f"<td>{cell}</td>" for cell in cells) in text
    assert '<th scope="col">program</th><th scope="col">master-0</th>' in text
    assert "Load balancer" not in text


def test_without_a_lab_the_page_has_what_hardway_up_has_seen_last(tmp_path):
    workspace = build_folder(write_folder(tmp_path / "c", install_config(), keys="ecdsa-p256"))
    site = Site(workspace=workspace)
    kept(site).mkdir()
    atomic.write(kept(site) / FILE, json.dumps(asdict(NOW.sight)).encode(), atomic.PUBLIC)
    record.keeping(kept(site), lambda event: None)(Event(kind="asked", seconds=3, text="switch master-0 on"))
    text = page(site).body
    assert "As the last run has seen it" in text
    assert "<td>csr-x</td><td>worker-1</td><td>serving: pending</td>" in text
    assert "switch master-0 on" in text


def test_without_a_lab_there_is_what_to_do():
    text = page(SITE).body
    assert "<h2>Now</h2>" not in text
    assert "hardway lab up" in text


def test_milestones_have_their_time_and_a_run_says_whether_it_is_over():
    run = [Event(kind="reached", seconds=7, text="etcd answers", milestone="bootstrap-etcd")]
    text = body(SITE, run)
    assert "Events of the last run: 1, so far in 7 s." in text
    assert 'aria-label="bootstrap-etcd: from 0 s to 7 s"' in text
    assert bars(text) == {"bootstrap-etcd": (0, 1000)}
    assert text.count("not reached") == 17
    assert "Steps on each node" not in text
    assert "last run: 2, in 9 s" in body(SITE, [*run, Event(kind="finished", seconds=9, text="done")])


def bars(text):
    """Of each milestone: where its bar begins, and how long it is."""
    found = re.findall(r'aria-label="([\w-]+): from .*?<rect x="([\d.]+)" y="0" width="([\d.]+)"', text)
    return {name: (float(begun), float(long)) for name, begun, long in found}


def test_a_bar_begins_where_the_milestone_before_it_was_reached():
    reached = {"bootstrap-etcd": 20, "bootstrap-api": 50, "manifests": 50, "version-syncs": 100}
    run = [Event(kind="reached", seconds=at, text="x", milestone=name) for name, at in reached.items()]
    assert bars(body(SITE, run)) == {
        "bootstrap-etcd": (0, 200),
        "bootstrap-api": (200, 300),
        "manifests": (500, MARK),
        "version-syncs": (500, 500),
    }


def test_a_milestone_that_is_waited_for_is_not_played_as_reached():
    run = [Event(kind=kind, seconds=1, text="x", milestone="apis") for kind in ("waiting", "trouble", "reached")]
    assert body(SITE, run).count('data-reached="apis"') == 1
    assert "data-reached" not in body(SITE, run[:2])


def test_each_node_has_a_lane_with_its_steps():
    steps = [("master-1", 0), ("master-0", 5), ("nobody", 5), ("master-1", 10)]
    text = body(SITE, [Event(kind="acted", seconds=at, text="x", node=name) for name, at in steps])
    lanes = text.partition("Steps on each node")[2].partition("</ul>")[0]
    assert re.findall("<li><span>(.*?)</span>", lanes) == ["master-0", "master-1"]
    marks = re.findall(r'<rect x="([\d.]+)" [^>]*data-at="([\d.]+)"', lanes)
    assert marks == [("500.0", "5.0"), ("0.0", "0.0"), (f"{1000 - MARK:.1f}", "10.0")]


RUN = [Event(kind="reached", seconds=9, text="x", milestone="bootstrap-etcd")]
MEMBERS = [(Seen(name="master-0", state=state),) for state in ("learner", "learner", "voter")]


def test_what_was_seen_can_be_played_each_table_as_long_as_it_held():
    every = [
        Moment(seconds=at, sight=Sight(members=rows, nodes=NODES), availability=f"{at} requests")
        for at, rows in zip((1, 3, 6.5), MEMBERS, strict=True)
    ]
    text = body(SITE, RUN, every).partition('<div class="past" hidden>')[2].partition('<ol class="events">')[0]
    spans = re.findall(
        r'<(?:div|p)[^>]* hidden data-from="([\d.]+)"(?: data-until="([\d.]+)")?>(.*?)</(?:div|p)>', text
    )
    assert [(begun, end) for begun, end, said in spans if "requests" in said] == [("1", "3"), ("3", "6.5"), ("6.5", "")]
    members = [(begun, end, "learner" in said) for begun, end, said in spans if "Members of etcd" in said]
    assert members == [("1", "6.5", True), ("6.5", "", False)]
    assert [(begun, end) for begun, end, said in spans if ">Nodes<" in said] == [("1", "")]
    assert "Load balancer" not in text


NODES = (Seen(name="master-0", place="192.168.126.101", state="on"),)


def test_without_moments_there_is_nothing_to_play_but_events():
    assert 'class="past"' not in body(SITE, RUN)


def test_of_a_large_cluster_fewer_moments_are_shown_and_the_last_one_always():
    rows = tuple(Seen(name=str(number), state="on") for number in range(500))
    every = [Moment(seconds=at, sight=Sight(nodes=rows)) for at in range(1000)]
    shown = few(every)
    assert 30 < len(shown) < 100
    assert len(shown) * 500 < MOST_ROWS * 1.1
    assert (shown[0], shown[-1]) == (every[0], every[-1])
    assert few(every[:20]) == every[:20]


def test_what_the_doctor_says_of_a_lab_that_is_stuck_is_shown():
    assert "<li>the disk is full; seen: no space left</li>" in standing(
        SITE, replace(NOW, causes=("the disk is full; seen: no space left",))
    )


def test_every_moment_is_shown_without_secrets():
    every = [form for secret in [*secrets().values()][::9] for form in forms(secret)]
    seen = [
        Moment(seconds=at, sight=Sight(nodes=(Seen(name="a", state=form),)), availability=form)
        for at, form in enumerate(every)
    ]
    text = body(SITE, RUN, seen)
    assert text.count("data-from") > len(every)
    assert leaks(text, secrets()) == []
