"""ginkgo's report becomes figures, and its lines progress."""

from __future__ import annotations

import io
import json

import pytest

from hardway.lab.conformance.results import Failed, read
from hardway.lab.conformance.run import Meter
from hardway.model.errors import ToolError


def spec(name, state, message="", kind="It"):
    *containers, leaf = name.split(" / ")
    failure = {"Failure": {"Message": message}} if message else {}
    return {
        "ContainerHierarchyTexts": containers or None,
        "LeafNodeType": kind,
        "LeafNodeText": leaf,
        "State": state,
        **failure,
    }


def report(*specs):
    return json.dumps([{"SuitePath": "e2e", "SpecReports": list(specs)}]).encode()


def test_a_report_is_counted_by_family():
    found = read(
        report(
            spec("[sig-apps] Job / runs [Conformance]", "passed"),
            spec("[sig-apps] Job / fails [Conformance]", "failed", "timed out\nwaiting for a pod"),
            spec("[sig-node] Pods / hangs [Conformance]", "timedout", "too late"),
            spec("[sig-node] Pods / is for others", "skipped"),
            spec("[sig-node] Pods / needs Windows [Conformance]", "skipped", "Only supported for node OS distro"),
            spec("", "passed", kind="SynchronizedBeforeSuite"),
        ),
        "report.json",
    )
    assert found.passed == ("[sig-apps] Job runs [Conformance]",)
    assert found.failed == (
        Failed(name="[sig-apps] Job fails [Conformance]", message="timed out waiting for a pod"),
        Failed(name="[sig-node] Pods hangs [Conformance]", message="too late"),
    )
    assert found.skipped == {"[sig-node] Pods needs Windows [Conformance]": "Only supported for node OS distro"}
    assert found.families() == {"sig-apps": (1, 1), "sig-node": (0, 1)}
    assert found.ran == 3


def test_what_fails_before_the_first_test_is_a_failure_too():
    found = read(
        report(spec("", "failed", "\x1b[1mno node\x1b[0m is ready", kind="SynchronizedBeforeSuite")), "report.json"
    )
    assert found.failed == (Failed(name="SynchronizedBeforeSuite", message="no node is ready"),)


@pytest.mark.parametrize("content", [b"", b"{", b"[]x", b"{}", b'[{"SpecReports": [{}]}]', b"[1]", b"null"])
def test_what_is_no_report_is_told_with_its_place(content):
    with pytest.raises(ToolError, match=r"^place/report.json: is not a report of ginkgo\.\n    fix: "):
        read(content, "place/report.json")


def test_lines_of_ginkgo_tell_how_far_it_is():
    told, log = [], io.StringIO()
    meter = Meter(tell=lambda *row: told.append(row), log=log)
    lines = [
        "Running Suite: Kubernetes e2e suite",
        "Will run 2 of 6602 specs",
        "------------------------------",
        "• [5.062 seconds]",
        "[sig-apps] Job runs [Conformance] [sig-apps, Conformance]",
        "  [sig-apps] what a test prints is indented [Conformance]",
        "k8s.io/kubernetes/test/e2e/apps/job.go:77",
        "------------------------------",
        "• [FAILED] [300.100 seconds]",
        "[sig-apps] Job fails [Conformance]",
    ]
    for line in lines:
        meter.line(line)
    assert told == [
        ("testing: [sig-apps] Job runs [Conformance]", 1, 2),
        ("testing: [sig-apps] Job fails [Conformance]", 2, 2),
    ]
    assert log.getvalue().splitlines() == lines
