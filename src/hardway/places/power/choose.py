"""Who has the switches of a folder's machines: a BMC where hosts.yaml names one, else libvirt or a person."""

from __future__ import annotations

from hardway.libvirt.choices import choose
from hardway.libvirt.fleet import Fleet, open_fleet
from hardway.places.power.mixed import Mixed
from hardway.places.power.person import Person
from hardway.places.power.redfish.machine import Redfish
from hardway.places.power.virtual import Virtual
from hardway.places.power.way import Power
from hardway.places.remembered import connect_of, read
from hardway.workspace.folder import Workspace


def power_of(workspace: Workspace) -> Power:
    redfish = redfish_of(workspace)
    return Mixed(others=_others(workspace), own=dict.fromkeys(redfish.bmcs, redfish))


def redfish_of(workspace: Workspace) -> Redfish:
    cluster, hosts = workspace.loaded.cluster, workspace.loaded.hosts
    found = {node.name: hosts.entry(node.role, node.index).bmc for node in cluster.nodes}
    return Redfish(workspace.folder, {name: bmc for name, bmc in found.items() if bmc})


def _others(workspace: Workspace) -> Power:
    place = read(workspace.folder)
    if place and place.kind == "libvirt":
        return Virtual(fleet_of(workspace))
    return Person(workspace.loaded.cluster)


def fleet_of(workspace: Workspace) -> Fleet:
    """The libvirt that was remembered, or that hardway.yaml names."""
    connect = connect_of(workspace.folder, None)
    return open_fleet(workspace, (), choose(workspace.loaded.settings.infra, connect=connect))
