"""The page of a lab: how it stands, and what happened."""

from __future__ import annotations

import json
from dataclasses import asdict

from hardway.drive import record
from hardway.drive.events import Event
from hardway.drive.sight import FILE, Seen, Sight
from hardway.io import atomic
from hardway.lab.status import NodeRow, Status
from hardway.page.laboratory import body, kept, page
from hardway.page.site import Site
from hardway.places.milestones import MilestoneRow
from tests.support.clusters import install_config
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
    assert '<progress value="7" max="7"' in text
    assert text.count("not reached") == 17
    assert "last run: 2, in 9 s" in body(SITE, [*run, Event(kind="finished", seconds=9, text="done")])
