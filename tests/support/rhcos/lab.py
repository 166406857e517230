"""A built cluster whose machines are in a libvirt of the test's own, and `hardway install` beside it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.delivery import folder_of
from tests.support.libvirt.host import HARDWAY, Lab, libvirt
from tests.support.rhcos.image import live_iso
from tests.support.waiting import until


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    lab: Lab
    folder: Path

    @property
    def pool(self) -> Path:
        return self.folder / "pool"

    def machine(self, node: str) -> str:
        return f"{(self.folder / 'assets' / 'plan' / 'infra-id').read_text()}-{node}"

    def console(self, node: str) -> str:
        return (self.pool / f"{node}-console.log").read_text(errors="replace")

    def command(self, *words: str) -> list[str]:
        hardway = [sys.executable, "-c", HARDWAY, "-C", str(self.folder), "install", "--connect", self.lab.connect]
        return ["ip", "netns", "exec", self.lab.namespace, *hardway, "--iso", str(live_iso()), "-o", "json", *words]

    def install(self, *words: str) -> tuple[int, list[dict[str, Any]], str]:
        """Exit code, events, and what was said on standard error."""
        done = subprocess.run(
            self.command(*words), capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
        )
        return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr

    def interrupted(self, event: str, *words: str) -> int:
        """The same, but the user presses Control-C when an event has been told."""
        with subprocess.Popen(
            self.command(*words), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as process:
            assert process.stdout
            for line in process.stdout:
                if json.loads(line)["event"] == event:
                    process.send_signal(signal.SIGINT)
            return process.wait()

    def write_to_disk(self, node: str) -> None:
        """As somebody's system would."""
        disk = self.pool / f"{node}.qcow2"
        subprocess.run(["qemu-io", "-f", "qcow2", "-c", "write -P 7 0 4M", disk], capture_output=True, check=True)

    def until_off(self, node: str) -> None:
        until(
            lambda: self.lab.virsh("domstate", self.machine(node)).strip() == "shut off", lambda: f"{node} is still on"
        )


@contextmanager
def site(firmware: str = "uefi") -> Iterator[Site]:
    """A bootstrap node and three masters, off, with empty disks."""
    with libvirt() as lab:
        folder = folder_of(lab.folder / "cluster")
        lab.infra(folder, "up", "--firmware", firmware)
        yield Site(lab=lab, folder=folder)


def said(events: list[dict[str, Any]], what: str, field: str) -> list[Any]:
    return [event[field] for event in events if event["event"] == what]
