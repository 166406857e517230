"""Where each failure mode is planted: in files, on the host and in its network, in what machines and the API say, in
logs, and in a lab. What is planted in files is the only root, whatever else looks at the same files."""

from __future__ import annotations

import re

import pytest

from hardway.checks.failures import BY_ID
from hardway.checks.files.table import TABLE as FILES
from hardway.checks.network.mirrors import TABLE as MIRRORS
from hardway.doctor.diagnosis import diagnose
from hardway.model.check import run
from tests.lab.test_doctor import PLANTS
from tests.real.checks.network.test_ports import BALANCER
from tests.support.dns.defects import DEFECTS as NAMES
from tests.support.trees import spare
from tests.unit.checks.cluster.test_state import PLANTED as OBJECTS
from tests.unit.checks.files import test_ignition_defects as ignition
from tests.unit.checks.files import test_manifest_defects as manifest
from tests.unit.checks.files import test_pki_defects as pki
from tests.unit.checks.files import test_plan_defects as plan
from tests.unit.checks.files import test_pod_defects as pod
from tests.unit.checks.files.test_whole_defects import PLANTED as WHOLE
from tests.unit.checks.host.test_prerequisites import PLANTED as HOST
from tests.unit.checks.network.haproxy.test_rules import DEFECTS as HAPROXY
from tests.unit.checks.nodes.test_table import PLANTED as MACHINES
from tests.unit.doctor.test_every_mode import WORDS, published
from tests.unit.libvirt.test_drift import MACHINE, NETWORK

IN_FILES = {
    "F01": pki.plant_expired,
    "F02": pki.plant_future,
    "F03": ignition.plant_pointer,
    "F04": plan.plant_other_vip,
    "F06": pki.plant_wrong_signer,
    "F07": pki.plant_no_localhost,
    "F08": pki.plant_server_only,
    "F09": pki.plant_path_length,
    "F10": pod.plant_old_front_proxy,
    "F11": ignition.plant_other_pull_secret,
    "F12": ignition.plant_no_mirror,
    "F13": manifest.plant_proxy_for_itself,
    "F15": ignition.plant_localhost,
    "F16": ignition.plant_other_card,
    "F17": ignition.plant_octal,
    "F19": ignition.plant_two_default_routes,
    "F20": ignition.plant_version,
    "F21": ignition.plant_twice,
    "F22": WHOLE["ssh"][1],
    "F23": ignition.plant_no_annotations,
    "F24": ignition.plant_lost_script,
    "F29": pod.plant_csr_signer,
    "F30": manifest.plant_no_annotation,
    "F31": pod.plant_member_name,
    "F32": manifest.plant_network,
    "F33": manifest.plant_schedulable,
    "F35": manifest.plant_base_domain,
    "F41": manifest.plant_no_status,
    "F42": manifest.plant_unknown_kind,
    "F54": manifest.plant_masters_without_routers,
}
VARIANTS = {"F12": "mirrors", "F13": "proxy", "F54": "compact"}

PLANTED = {
    "files": {*IN_FILES, *(row[2] for row in HAPROXY.values())},
    "host": {
        *(row[4] for row in HOST),
        *(wanted[1] for _, wanted in (*NAMES.values(), *BALANCER.values())),
        *(row[3] for row in (*MACHINE.values(), *NETWORK.values())),
        *(expected[2] for _, expected in MACHINES.values()),
        *(check.failure for check in MIRRORS),  # each is planted: tests/unit/checks/network/test_mirrors.py
    },
    "running": {
        *(expected[1] for _, expected in OBJECTS.values()),
        *(expected[2] for _, expected in MACHINES.values()),
        *(row.mode for row in PLANTS.values()),
    },
    "log": {*published(), *WORDS},
    "lab": {row.mode for row in PLANTS.values()},
}
INSTEAD: dict[str, dict[str, tuple[str, ...]]] = {
    "files": {
        "log": (
            "F14",
            "F18",
            "F36",
        ),  # refused while the configuration is read; no kernel argument of ours; as intended
        "host": ("F38", "F39", "F40"),  # sizes and processors of machines are examined with the host
    },
    "host": {"log": ("F05", "F45", "F50", "F51"), "lab": ("F47",)},
    "running": {"log": ("F05", "F18", "F22", "F31", "F37", "F43", "F52", "F53")},
}
"""By the kind of place that `detect` names: modes that are planted elsewhere."""
KIND = re.compile(r"(?:^|· )(files|host|running):")


@pytest.mark.parametrize("mode", IN_FILES)
def test_what_is_planted_in_files_is_the_only_root(mode):
    world = spare(VARIANTS.get(mode, "default"))
    IN_FILES[mode](world)
    roots = [root for root in diagnose(run(FILES, world)).roots if root.failing]
    assert [root.case.failures for root in roots] == [{mode}], [root.case.id for root in roots]


@pytest.mark.parametrize("mode", BY_ID)
def test_a_mode_is_planted_wherever_it_can_be_seen(mode):
    kinds = KIND.findall(BY_ID[mode].detect)
    assert kinds
    for kind in kinds:
        other = [place for place, modes in INSTEAD[kind].items() if mode in modes]
        places = PLANTED[kind] if not other else PLANTED[other[0]]
        assert mode in places, f"{mode} is not planted: {other[0] if other else kind}"
    assert mode in PLANTED["log"]


@pytest.mark.parametrize("kind", INSTEAD)
def test_nothing_is_planted_elsewhere_without_need(kind):
    elsewhere = {mode for modes in INSTEAD[kind].values() for mode in modes}
    assert elsewhere & PLANTED[kind] == set()
    assert all(kind in KIND.findall(BY_ID[mode].detect) for mode in elsewhere)


def test_what_is_planted_is_counted():
    """In the lab, a bootstrap node that is removed too early comes in addition: F31."""
    counts = {place: len(modes - {""}) for place, modes in PLANTED.items()}
    assert counts["log"] == len(BY_ID)
    assert counts["files"] >= 31
    assert counts["host"] >= 17
    assert counts["lab"] >= 18
