"""A running HAProxy through its admin socket: who is up, and taking a server out of service without a restart."""

from __future__ import annotations

import csv
import socket
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from hardway.model.errors import ToolError

SECONDS = 10.0
OUT = "MAINT"


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    backend: str
    name: str
    status: str  # UP, DOWN, MAINT, DRAIN; with a count while it changes
    connections: int

    def as_dict(self) -> dict[str, str | int]:
        return {"backend": self.backend, "server": self.name, "status": self.status, "connections": self.connections}


def ask(path: Path, command: str) -> str:
    """One command, and what HAProxy says to it."""
    try:
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(SECONDS)
            line.connect(str(path))
            line.sendall(f"{command}\n".encode())
            return b"".join(iter(lambda: line.recv(65536), b"")).decode()
    except OSError as error:
        reason = error.strerror or str(error)
        fix = "start HAProxy with the generated configuration, be root, or name its socket with --socket"
        raise ToolError(f"{path}: {reason}.\n    fix: {fix}") from None


def servers(path: Path) -> list[Server]:
    table = ask(path, "show stat -1 4 -1").removeprefix("# ")  # every proxy, rows of servers alone
    return [
        Server(backend=row["pxname"], name=row["svname"], status=row["status"], connections=int(row["scur"] or 0))
        for row in csv.DictReader(table.splitlines())
    ]


def take_out(path: Path, name: str, *, dry_run: bool = False) -> list[Server]:
    """No new connection goes to the server, those it has stay; the servers that this changes (or would).

    It holds until HAProxy is restarted: the configuration has to lose the server too.
    """
    mine = [s for s in servers(path) if s.name == name]
    if not mine:
        known = list(dict.fromkeys(s.name for s in servers(path)))
        near = "".join(f"did you mean {one}? " for one in get_close_matches(name, known, n=1))
        raise ToolError(f"HAProxy has no server {name}.\n    fix: {near}name one of: {', '.join(known)}")
    changes = [s for s in mine if not s.status.startswith(OUT)]
    for server in [] if dry_run else changes:
        if said := ask(path, f"set server {server.backend}/{server.name} state maint").strip():
            raise ToolError(f"HAProxy refused to take {server.backend}/{server.name} out: {said}")
    return changes
