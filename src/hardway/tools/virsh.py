"""virsh: everything that this project asks of libvirt. The same words reach a libvirt here or over ssh."""

from __future__ import annotations

import os
import re
import shlex
from dataclasses import dataclass

from hardway.model.errors import ToolError
from hardway.tools.run import Done, attempt, run

LOCAL = "qemu:///system"
NO_ANSWER = "failed to connect to the hypervisor"


@dataclass(frozen=True, slots=True, kw_only=True)
class Virsh:
    connect: str = LOCAL

    def __call__(self, *words: str, document: str | None = None, seconds: float = 120) -> str:
        """Run a virsh command that must succeed; a document is the XML that it reads from /dev/stdin."""
        try:
            return run(self._command(words), stdin=document, environment=_plain(), seconds=seconds)
        except ToolError as error:
            _, no_answer, cause = str(error).partition(NO_ANSWER)
            if not no_answer:
                raise
            said = cause.strip().removeprefix("error:").strip()
            why = f": {said}" if said else "."
            raise ToolError(f"libvirt does not answer at {self.connect}{why}\n    fix: {self.remedy()}") from None

    def attempt(self, *words: str) -> Done:
        return attempt(self._command(words), environment=_plain())

    def names(self, *words: str) -> list[str]:
        """The lines of a list that was asked for with --name."""
        return sorted(line.strip() for line in self(*words).splitlines() if line.strip())

    def fields(self, *words: str) -> dict[str, str]:
        """The `Name:  value` lines of an -info command."""
        pairs = (line.partition(":") for line in self(*words).splitlines())
        return {name.strip(): value.strip() for name, _, value in pairs if value.strip()}

    def volumes(self, pool: str) -> dict[str, str]:
        """The files of a pool by name, with their paths; names and paths are two columns."""
        rows = (re.fullmatch(r"\s*(\S.*?)\s{2,}(/.*?)\s*", line) for line in self("vol-list", pool).splitlines())
        return {row[1]: row[2] for row in rows if row}

    def remedy(self) -> str:
        """What to do where it does not answer."""
        if self.connect == LOCAL:
            return "start it with `systemctl start libvirtd`, or name another libvirt with --connect"
        return (
            f"see why with `virsh --connect {shlex.quote(self.connect)} list`, or name another libvirt with --connect"
        )

    def _command(self, words: tuple[str, ...]) -> tuple[str, ...]:
        return ("virsh", "--quiet", "--connect", self.connect, *words)


def _plain() -> dict[str, str]:
    """Field names in English, whatever the user's language."""
    return {**os.environ, "LC_ALL": "C"}
