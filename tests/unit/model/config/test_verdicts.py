"""Our verdict is the installer's, but for a list of reasons.

measured_verdicts.jsonl holds what openshift-install (built from release-4.18, `create manifests`) said to each of these
files: first the base that every `tail` is added to, then one case a line.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hardway.model.cluster import Release
from hardway.model.config.load import Inputs, load
from hardway.model.errors import ConfigError

LINES = (Path(__file__).parent / "measured_verdicts.jsonl").read_text().splitlines()
BASE = json.loads(LINES[0])["base"]
CASES = [json.loads(line) for line in LINES[1:]]

NO_FIPS_HOST = "the installer looks whether its own host is in FIPS mode; we warn"
NO_NETWORK = "without a CIDR there is no network to derive anything from"
NO_ADDRESS = "the machines' addresses do not fit into the machine network"
NO_BITS = "an address has no such bit: nothing can come of it"
NO_FAMILY = "the Services' family is missing from another list: no pod or node could be reached"
DEVIATIONS = {
    "fips yes": NO_FIPS_HOST,
    "metadata ownerrefs": "the header's lists are ignored, whatever they hold",
    "cidr null": NO_NETWORK,
    "cidr missing": NO_NETWORK,
    "cluster cidr missing": NO_NETWORK,
    "service null elem": NO_NETWORK,
    "hostPrefix 33": NO_BITS,
    "hostPrefix 1000": NO_BITS,
    'net {"clusterNetwork": [{"cidr": "10.128.0.0/14", "hostSubnetLength": -3}]}': NO_BITS,
    "v6 default machine": NO_FAMILY,
    "v4 service v6 rest": NO_FAMILY,
    "v6 two services": "kube-apiserver refuses two service ranges of one family",
    "platform external": "this tool makes platform none only",
    f"dom {'a' * 64}.com": "DNS carries labels of 63 characters at most",
    'net {"machineNetwork": [{"cidr": "127.0.0.0/8"}]}': "no machine can have a loopback address",
    'net {"machineNetwork": [{"cidr": "224.0.0.0/8"}]}': "no machine can have a multicast address",
    'net {"machineNetwork": [{"cidr": "10.0.0.0/30"}]}': NO_ADDRESS,
    'net {"machineNetwork": [{"cidr": "10.0.0.0/31"}]}': NO_ADDRESS,
    'net {"machineNetwork": [{"cidr": "10.0.0.0/32"}]}': NO_ADDRESS,
}


def verdict(text: str) -> str:
    release = Release(version="4.18.0", image="image", images={}, architecture="multi")
    try:
        load(Inputs(install_config=text), lambda _: release)
    except ConfigError:
        return "refuses"
    return "accepts"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["case"][:60])
def test_same_verdict_as_the_installer(case: dict[str, Any]) -> None:
    ours = verdict(case["text"] if "text" in case else BASE + case["tail"])
    assert (ours == case["installer"]) != (case["case"] in DEVIATIONS)


def test_every_deviation_is_measured() -> None:
    assert set(DEVIATIONS) <= {case["case"] for case in CASES}
