"""Machines in libvirt, which has their switches."""

from __future__ import annotations

import time
from dataclasses import dataclass

from hardway.libvirt.fleet import Fleet
from hardway.model.errors import ToolError
from hardway.places.power.way import State
from hardway.tools.patience import Patience
from hardway.tools.virsh import Virsh

OFF = "shut off"
SECONDS = 120.0  # for programs to end, before the power is cut: the kubelet alone gives pods 90
PAUSE = 1.0


@dataclass(frozen=True, slots=True)
class Virtual:
    fleet: Fleet
    seconds: float = SECONDS

    def on(self, node: str) -> None:
        virsh, name = self._machine(node)
        if self._state(virsh, name, node) == OFF:
            virsh("start", name)

    def off(self, node: str, *, cut: bool = False) -> None:
        """A machine that does not answer to its power button is cut off after a while."""
        virsh, name = self._machine(node)
        left = Patience(0 if cut else self.seconds)
        while self._state(virsh, name, node) != OFF:
            if left.ended():
                done = virsh.attempt("destroy", name)
                if not done.ok and self._state(virsh, name, node) != OFF:  # it may have ended this moment
                    fix = "look at the machine with `virsh domstate --reason`, and run this again"
                    raise ToolError(f"{node}: libvirt does not cut its power: {done.errors.strip()}\n    fix: {fix}")
            else:
                virsh.attempt("shutdown", name, "--mode", "acpi")
                time.sleep(PAUSE)

    def state(self, node: str) -> State:
        return "off" if self._state(*self._machine(node), node) == OFF else "on"

    def _machine(self, node: str) -> tuple[Virsh, str]:
        for session in self.fleet.sessions:
            for row in session.here:
                if row.name == node:
                    return session.target.virsh, session.identity.machine(row)
        raise ToolError(f"{node}: is not in the plan.\n    fix: name a node of the plan")

    def _state(self, virsh: Virsh, name: str, node: str) -> str:
        done = virsh.asked("domstate", name)
        if not done.ok:
            fix = f"make it with `hardway infra up {node}`, and install it with `hardway install {node}`"
            raise ToolError(f"{node}: is not in libvirt ({name}).\n    fix: {fix}")
        return done.output.strip()
