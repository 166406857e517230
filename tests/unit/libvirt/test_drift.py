"""A machine or network in libvirt with one planted defect: `infra plan` names it, and the failure that it leads to."""

from __future__ import annotations

from copy import deepcopy
from xml.etree.ElementTree import Element

import pytest

from hardway.libvirt.choices import Choices
from hardway.libvirt.facts import parse, text_of
from hardway.libvirt.machine import domain_xml
from hardway.libvirt.network import network_xml
from hardway.libvirt.plan import changes
from hardway.libvirt.storage import DISK, pool_xml
from hardway.libvirt.world import Object, Seen
from tests.support.clusters import load_cluster
from tests.unit.libvirt.test_xml import ME

CLUSTER = load_cluster().cluster
NODE = CLUSTER.masters[0]
MACHINE = {
    "clock": ("clock", "offset", "localtime", "F02"),
    "card": ("devices/interface/mac", "address", "52:54:00:00:00:01", "F16"),
    "slot": ("devices/interface/address", "bus", "0x07", "F16"),
    "board": ("os/type", "machine", "pc-i440fx-9.0", "F16"),
    "cache": ("devices/disk/driver", "cache", "writethrough", "F37"),
    "memory": ("memory", "", "8388608", "F38"),
    "too-little-memory": ("memory", "", "2097152", "F40"),
    "processors": ("vcpu", "", "1", "F38"),
    "model": ("cpu", "mode", "custom", "F39"),
}
NETWORK = {
    "domain": ("domain", "localOnly", "no", "F34"),
    "reverse-record": ("dns/host/hostname", "", "localhost.localdomain", "F15"),
    "wildcard": ("{http://libvirt.org/schemas/network/dnsmasq/1.0}options/*", "value", "log-queries", "F33"),
}


def there(root: Element, name: str, node: str = "") -> Object:
    document = parse(text_of(root))
    return Object(
        name=name, document=document, live=document, ours=True, active=not node, autostart=True, state="", node=node
    )


def planned(machine: Element, network: Element) -> list[str]:
    seen = Seen(
        network=there(network, ME.infra_id),
        pool=there(pool_xml(ME, Choices()), ME.infra_id),
        machines={ME.machine(NODE): there(machine, ME.machine(NODE), NODE.name)},
        files={NODE.name + DISK: 120 << 30},
    )
    return [reason for change in changes(CLUSTER, (NODE,), ME, Choices(), seen) for reason in change.reasons]


def spoiled(root: Element, path: str, attribute: str, value: str) -> Element:
    copy = deepcopy(root)
    place = copy.find(path)
    assert place is not None
    if attribute:
        place.set(attribute, value)
    else:
        place.text = value
    return copy


def test_what_is_as_planned_is_left_alone():
    assert planned(domain_xml(CLUSTER, NODE, ME, Choices()), network_xml(CLUSTER, ME, Choices())) == []


@pytest.mark.parametrize("defect", MACHINE)
def test_a_defect_of_a_machine_is_named_with_its_failure(defect: str):
    path, attribute, value, failure = MACHINE[defect]
    machine = spoiled(domain_xml(CLUSTER, NODE, ME, Choices()), path, attribute, value)
    (told,) = planned(machine, network_xml(CLUSTER, ME, Choices()))
    assert "should be" in told
    assert failure in told


@pytest.mark.parametrize("defect", NETWORK)
def test_a_defect_of_the_network_is_named_with_its_failure(defect: str):
    path, attribute, value, failure = NETWORK[defect]
    network = spoiled(network_xml(CLUSTER, ME, Choices()), path, attribute, value)
    told = planned(domain_xml(CLUSTER, NODE, ME, Choices()), network)
    assert told
    assert all(failure in reason for reason in told)
