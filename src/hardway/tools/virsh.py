"""virsh: everything that this project asks of libvirt. The same words reach a libvirt here or over ssh."""

from __future__ import annotations

import os
import re
import shlex
import signal
from dataclasses import dataclass
from urllib.parse import SplitResult, parse_qs, urlsplit

from hardway.model.errors import ToolError
from hardway.tools.run import Done, attempt, explain

LOCAL = "qemu:///system"
NO_ANSWER = "failed to connect to the hypervisor"


class Silent(ToolError):
    """No libvirt answers at the address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Virsh:
    connect: str = LOCAL

    def __call__(self, *words: str, document: str | None = None, seconds: float = 120) -> str:
        """Run a virsh command that must succeed; a document is the XML that it reads from /dev/stdin."""
        done = self._answered(attempt(self._command(words), stdin=document, environment=_plain(), seconds=seconds))
        if not done.ok:
            raise ToolError(explain(done))
        return done.output

    def asked(self, *words: str) -> Done:
        """Run a virsh command that libvirt must answer, even if the answer is no."""
        return self._answered(self.attempt(*words))

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

    def _answered(self, done: Done) -> Done:
        _, no_answer, said = done.errors.partition(NO_ANSWER)
        if done.ok or (not no_answer and done.code != -signal.SIGPIPE):
            return done
        cause = self._refusal() or said.strip().removeprefix("error:").strip()
        why = f": {cause}" if cause else "."
        raise Silent(f"libvirt does not answer at {self.connect}{why}\n    fix: {self.remedy()}")

    def _refusal(self) -> str:
        """What ssh itself says where it cannot connect. virsh repeats it only if it reads before it writes; otherwise
        it knows of a closed socket, or is ended by its own write."""
        uri = urlsplit(self.connect)
        if not uri.scheme.endswith("+ssh"):
            return ""
        done = attempt([*ssh(uri), "true"])
        return "" if done.ok else done.errors.strip()

    def _command(self, words: tuple[str, ...]) -> tuple[str, ...]:
        return ("virsh", "--quiet", "--connect", self.connect, *words)


def ssh(uri: SplitResult) -> list[str]:
    """The ssh that libvirt itself would call for this address: its parameters `command`, `keyfile` and `no_verify`."""
    given = {name: values[-1] for name, values in parse_qs(uri.query).items()}
    port = ["-p", str(uri.port)] if uri.port else []
    key = ["-i", given["keyfile"]] if "keyfile" in given else []
    unverified = ["-o", "StrictHostKeyChecking=no"] if given.get("no_verify", "0") != "0" else []
    target = f"{uri.username}@{uri.hostname}" if uri.username else f"{uri.hostname}"
    return [given.get("command", "ssh"), "-o", "BatchMode=yes", *port, *key, *unverified, "--", target]


def _plain() -> dict[str, str]:
    """Field names in English, whatever the user's language."""
    return {**os.environ, "LC_ALL": "C"}
