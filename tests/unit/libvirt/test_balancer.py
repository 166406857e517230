"""The load balancer's services on the host: what is wanted, and what has to change. Nobody is asked."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hardway.libvirt.balancer.seen import Services, Unit
from hardway.libvirt.balancer.unit import ADDRESSES, BALANCER, TABLE
from hardway.libvirt.balancer.wanted import (
    config_path,
    escaped,
    files,
    first_line,
    ours,
    socket_path,
    unit_name,
    unit_path,
)
from hardway.libvirt.change import Change
from hardway.libvirt.choices import Choices
from hardway.libvirt.identity import Identity
from hardway.libvirt.inventory import inventory
from hardway.libvirt.network import network_xml, vips
from hardway.libvirt.plan import changes
from hardway.libvirt.removal import removals
from hardway.libvirt.world import Object, Seen
from hardway.model.errors import ToolError
from tests.support.clusters import load_cluster

ME = Identity(cluster="ocp4.example.com", cluster_id="6f2a5d36-9c3e-4c53-8d2c-3f6d1c1a5b11", infra_id="ocp4-x7k2p")
CLUSTER = load_cluster().cluster
UNIT, ON = unit_name(ME, BALANCER), Unit(state="active", enabled=True)
BRIDGED = Choices(bridge="br0")
RUNNING = Services(
    files=files(CLUSTER, ME, "br0", vips(CLUSTER), ()), units=dict.fromkeys([UNIT, unit_name(ME, ADDRESSES)], ON)
)


def seen(services: Services | None, choices: Choices = BRIDGED) -> Seen:
    """Everything but the services is as it should be."""
    recorded = vips(CLUSTER) if choices.bridge else ()
    document = network_xml(CLUSTER, ME, choices, recorded)
    network = Object(name="n", document=document, live=document, ours=True, active=True, autostart=True)
    return Seen(network=network, addresses={"br0": frozenset(vips(CLUSTER))}, services=services)


def told(services: Services | None, choices: Choices = BRIDGED, gone: tuple[str, ...] = ()) -> list[Change]:
    found = changes(CLUSTER, (), ME, choices, seen(services, choices), gone)
    return [c for c in found if c.kind in ("file", "service")]


def said(found: list[Change]) -> list[str]:
    return [f"{c.action} {c.kind} {c.name}" for c in found]


def test_every_line_of_a_unit_has_its_row_and_every_row_is_in_a_unit():
    made = files(CLUSTER, ME, "br0", vips(CLUSTER), ())
    lines = {
        (unit, line.partition("=")[0])
        for unit in (ADDRESSES, BALANCER)
        for line in made[unit_path(ME, unit)].splitlines()
        if line and line[0] not in "#["
    }
    assert lines == {(row.unit, row.key) for row in TABLE}
    assert all(row.why.what in made[unit_path(ME, row.unit)].replace("\n# ", " ") for row in TABLE)


def test_names_and_files_carry_the_clusters_mark():
    assert UNIT == "hardway-ocp4-x7k2p-haproxy.service"
    assert socket_path(ME) in RUNNING.files[config_path(ME)]
    assert all(text.startswith(first_line(ME)) for text in RUNNING.files.values())
    other = replace(ME, cluster_id="00000000-9c3e-4c53-8d2c-3f6d1c1a5b11")
    assert [ours(text, other) for text in RUNNING.files.values()] == [False] * 3


def test_two_clusters_on_one_host_share_no_port_of_the_host_itself():
    assert "127.0.0.1" not in RUNNING.files[config_path(ME)]


@pytest.mark.parametrize(("name", "unit"), [("br0", "br0"), ("br-lab", r"br\x2dlab"), ("vlan.7", "vlan.7")])
def test_a_bridges_device_is_named_as_systemd_names_it(name: str, unit: str):
    assert escaped(name) == unit
    text = files(CLUSTER, ME, name, vips(CLUSTER), ())[unit_path(ME, ADDRESSES)]
    assert f"BindsTo=sys-subsystem-net-devices-{unit}.device\n" in text


def test_a_nat_network_brings_its_own_addresses():
    assert set(files(CLUSTER, ME, "", [], ())) == {config_path(ME), unit_path(ME, BALANCER)}
    assert said(told(Services(), Choices()))[-2:] == [f"autostart service {UNIT}", f"start service {UNIT}"]


def test_what_runs_as_planned_is_left_alone():
    assert told(RUNNING) == []


def test_without_systemd_nothing_is_planned():
    assert told(None) == []
    assert [c for c in removals(CLUSTER, (), seen(None)) if c.kind in ("file", "service")] == []


@pytest.mark.parametrize(
    ("unit", "wanted"),
    [
        (Unit(state="failed", enabled=True), ["start"]),
        (Unit(state="inactive", enabled=False), ["autostart", "start"]),
        (Unit(state="active", enabled=False), ["autostart"]),
    ],
)
def test_a_service_that_does_not_run_or_start_by_itself_is_told(unit: Unit, wanted: list[str]):
    found = told(replace(RUNNING, units={**RUNNING.units, UNIT: unit}))
    assert said(found) == [f"{action} service {UNIT}" for action in wanted]


def test_a_change_of_the_configuration_is_shown_and_keeps_connections():
    changed, reload = told(RUNNING, gone=("bootstrap",))
    assert said([changed, reload]) == [f"change file {config_path(ME)}", f"reload service {UNIT}"]
    server = f"- server bootstrap {CLUSTER.bootstrap.address}:6443 check check-ssl verify none"
    assert changed.reasons[0] == server


def test_a_change_of_the_unit_restarts_it():
    edited = {**RUNNING.files, unit_path(ME, BALANCER): f"{first_line(ME)}\n[Service]\nRestart=no\n"}
    assert said(told(replace(RUNNING, files=edited))) == [
        f"change file {unit_path(ME, BALANCER)}",
        f"restart service {UNIT}",
    ]


def test_services_go_when_the_load_balancer_is_elsewhere():
    for choices in (replace(BRIDGED, balancer=False), replace(BRIDGED, vips=False)):
        found = told(RUNNING, choices)
        services = [unit_name(ME, unit) for unit in (BALANCER, ADDRESSES)]
        assert said(found) == [f"remove service {name}" for name in services] + [
            f"remove file {path}" for path in RUNNING.files
        ]


def test_down_stops_them_before_the_addresses_and_the_network_go():
    kinds = [c.kind for c in removals(CLUSTER, (), seen(RUNNING))]
    assert kinds == ["service"] * 2 + ["file"] * 3 + ["address"] * 2 + ["network"]
    assert [c for c in removals(CLUSTER, ("bootstrap",), seen(RUNNING)) if c.kind in ("file", "service")] == []


@pytest.mark.parametrize(
    ("services", "message"),
    [
        (Services(program=False), r"/usr/sbin/haproxy: is not on the host.*\n    fix: install haproxy on the host, or"),
        (Services(writable=False), r"cannot be written there\.\n    fix: run this as root, or leave .* --no-balancer"),
        (Services(strangers=("/etc/x",)), r"/etc/x is there without this cluster's mark, so it is left alone"),
    ],
)
def test_what_stands_in_the_way_is_told_before_anything_is_changed(services: Services, message: str):
    with pytest.raises(ToolError, match=message):
        told(services)


def test_a_host_that_lacks_the_program_is_no_hindrance_where_nothing_has_to_change():
    assert told(replace(RUNNING, program=False, writable=False)) == []


def test_the_inventory_has_the_services():
    def rows(services: Services | None, choices: Choices = BRIDGED) -> object:
        found = inventory(CLUSTER, CLUSTER.nodes, ME, choices, seen(services, choices))
        return found["host"]["services"]

    failed = Unit(state="failed", enabled=True)
    assert rows(replace(RUNNING, units={**RUNNING.units, UNIT: failed})) == [
        {"name": unit_name(ME, ADDRESSES), "state": "running", "autostart": True},
        {"name": UNIT, "state": "failed", "autostart": True},
    ]
    assert rows(Services()) == [{"name": UNIT, "state": "missing", "autostart": False}]
    assert rows(Services(), replace(BRIDGED, balancer=False)) == []
    assert rows(None) is None
