"""What a BMC does with its machine: power, a medium in its virtual drive, and one start from it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardway.model.bmc import Bmc
from hardway.model.errors import ToolError
from hardway.places.power.redfish.session import library, system
from hardway.places.power.way import State
from hardway.tools.patience import Patience

SECONDS = 120.0  # for programs to end, before the power is cut
PAUSE = 1.0


@dataclass(frozen=True, slots=True)
class Redfish:
    folder: Path  # of the cluster: password files are named from here
    bmcs: Mapping[str, Bmc]
    seconds: float = SECONDS

    def on(self, node: str) -> None:
        with self._system(node) as machine:
            if not _is_on(machine):
                machine.reset_system(library().ResetType.ON)

    def off(self, node: str, *, cut: bool = False) -> None:
        """A machine that does not answer to its power button is cut off after a while."""
        kinds = library().ResetType
        with self._system(node) as machine:
            if not cut and _is_on(machine):
                machine.reset_system(kinds.GRACEFUL_SHUTDOWN)
                _wait_for_off(machine, self.seconds)
            if _is_on(machine):
                machine.reset_system(kinds.FORCE_OFF)
                _wait_for_off(machine, self.seconds)
            if _is_on(machine):
                fix = "look at the machine, and run this again"
                raise ToolError(f"{node}: its BMC was told to cut the power, and says that it is on.\n    fix: {fix}")

    def state(self, node: str) -> State:
        with self._system(node) as machine:
            return "on" if _is_on(machine) else "off"

    def medium(self, node: str) -> str:
        """The address of what is in the drive; empty: nothing is."""
        with self._system(node) as machine:
            drive = _drive(node, machine)
            return str(drive.image or "inserted") if drive.inserted else ""

    def boot(self, node: str, url: str) -> None:
        """From this medium, once: the next start is from the disk again. A machine that is on is cut off first."""
        sushy = library()
        self.off(node, cut=True)
        with self._system(node) as machine:
            drive = _drive(node, machine)
            if drive.inserted:
                drive.eject_media()
            drive.insert_media(url, inserted=True, write_protected=True)
            machine.set_system_boot_options(target=sushy.BootSource.CD, enabled=sushy.BootSourceOverrideEnabled.ONCE)
            machine.reset_system(sushy.ResetType.ON)

    def eject(self, node: str) -> None:
        with self._system(node) as machine:
            drive = _drive(node, machine)
            if drive.inserted:
                drive.eject_media()

    def _system(self, node: str) -> Any:
        return system(self.folder, node, self.bmcs[node])


def _is_on(machine: Any) -> bool:
    return bool(machine.power_state != library().PowerState.OFF)


def _wait_for_off(machine: Any, seconds: float) -> None:
    left = Patience(seconds)
    while _is_on(machine) and not left.ended():
        time.sleep(PAUSE)
        machine.refresh(force=True)


def _drives(owner: Any) -> Any:
    return owner.virtual_media.get_members()


def _drive(node: str, machine: Any) -> Any:
    """The first that takes a CD or a DVD, of the BMC or, in newer ones, of the system."""
    kinds = library()
    wanted = {kinds.VirtualMediaType.CD, kinds.VirtualMediaType.DVD}
    for drives in (lambda: (d for m in machine.managers for d in _drives(m)), lambda: _drives(machine)):
        try:
            for drive in drives():
                if wanted & set(drive.media_types or ()):
                    return drive
        except kinds.exceptions.MissingAttributeError:
            continue
    fix = "start the machine from its medium yourself (`hardway install --help`)"
    raise ToolError(f"{node}: its BMC has no virtual drive for a CD.\n    fix: {fix}")
