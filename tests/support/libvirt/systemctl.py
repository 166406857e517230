"""A small systemctl for a host without systemd: it reads the real unit files, runs what they say, and waits for
READY=1 as systemd does. `installed` puts it on a PATH, with the host's /etc and HAProxy's folder replaced by copies.

A program of its own too: `systemctl.py STATE VERB …`, with STATE for the process ids and logs of what runs.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

UNITS = Path("/etc/systemd/system")
SECONDS = 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Systemd:
    """Of one host: its copies, and the command that enters them."""

    folder: Path

    def command(self, *words: str) -> list[str]:
        places = {self.folder / "etc": "/etc", self.folder / "haproxy": "/var/lib/haproxy"}
        mounts = [f"mount --bind {here} {there}" for here, there in places.items()]
        script = ["mount --make-rprivate /", *mounts, f'PATH={self.folder}/bin:$PATH exec "$@"']
        return ["unshare", "--mount", "sh", "-ec", "\n".join(script), "sh", *words]

    def path(self, path: str) -> Path:
        """Where a file of the host is."""
        place = path.replace("/var/lib/haproxy", "/haproxy", 1) if path.startswith("/var/lib/haproxy") else path
        return self.folder / place.lstrip("/")

    def pid(self, unit: str) -> int:
        return int((self.folder / "state" / f"{unit}.pid").read_text())


def installed(folder: Path) -> Systemd:
    shutil.copytree("/etc", folder / "etc", symlinks=True, ignore=lambda _, names: {"alternatives", "ssl"} & set(names))
    for name in ("haproxy", "state", "bin"):
        (folder / name).mkdir()
    (folder / "haproxy").chmod(0o755)
    program = f'#!/bin/sh\nexec {sys.executable} {__file__} {folder}/state "$@"\n'
    logs = f"#!/bin/sh\ncat {folder}/state/$2.log\n"
    for name, text in {"systemctl": program, "journalctl": logs}.items():
        (folder / "bin" / name).write_text(text)
        (folder / "bin" / name).chmod(0o755)
    return Systemd(folder=folder)


def _read(unit: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in (UNITS / unit).read_text().splitlines():
        if "=" in line and not line.startswith("#"):
            key, _, value = line.partition("=")
            found.setdefault(key, []).append(value)
    return found


def _alive(state: Path, unit: str) -> bool:
    try:
        pid = int((state / f"{unit}.pid").read_text())
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False


def _active(state: Path, unit: str) -> str:
    if (state / f"{unit}.done").exists() or _alive(state, unit):
        return "active"
    return "failed" if (state / f"{unit}.pid").exists() else "inactive"


def _start(state: Path, unit: str) -> int:
    if _active(state, unit) == "active":
        return 0
    settings = _read(unit)
    if settings["Type"] == ["oneshot"]:
        for line in settings["ExecStart"]:
            subprocess.run(shlex.split(line), check=True)
        (state / f"{unit}.done").touch()
        return 0
    return _notified(state, unit, settings["ExecStart"][0])


def _notified(state: Path, unit: str, line: str) -> int:
    place = state / f"{unit}.notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told, (state / f"{unit}.log").open("ab") as log:
        place.unlink(missing_ok=True)
        told.bind(str(place))
        told.settimeout(0.2)
        environment = {**os.environ, "NOTIFY_SOCKET": str(place)}
        process = subprocess.Popen(
            shlex.split(line), env=environment, stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True
        )
        (state / f"{unit}.pid").write_text(str(process.pid))
        end = time.monotonic() + SECONDS
        while process.poll() is None and time.monotonic() < end:
            with suppress(TimeoutError):
                if b"READY=1" in told.recv(4096):
                    return 0
    print(f"Job for {unit} failed.", file=sys.stderr)
    return 1


def _stop(state: Path, unit: str) -> None:
    settings = _read(unit)
    (state / f"{unit}.done").unlink(missing_ok=True)
    if _alive(state, unit):
        os.kill(int((state / f"{unit}.pid").read_text()), signal.SIGTERM)
        while _alive(state, unit):
            time.sleep(0.05)
    (state / f"{unit}.pid").unlink(missing_ok=True)
    for line in settings.get("ExecStopPost", ()):
        subprocess.run(shlex.split(line), check=True)


def _show(state: Path, units: list[str]) -> Iterator[str]:
    for unit in units:
        enabled = "enabled" if (state / f"{unit}.enabled").exists() else ""
        yield f"Id={unit}\nActiveState={_active(state, unit)}\nUnitFileState={enabled}\n"


def main(state: Path, verb: str, *words: str) -> int:
    units = [word for word in words if not word.startswith("-")]
    if verb == "is-system-running":
        print("running")
    elif verb == "show":
        print("\n".join(_show(state, units)))
    elif verb == "daemon-reload":
        pass
    elif verb == "enable":
        _read(units[0])
        (state / f"{units[0]}.enabled").touch()
    elif verb == "disable":
        (state / f"{units[0]}.enabled").unlink(missing_ok=True)
        _stop(state, units[0])
    elif verb == "reload":
        for line in _read(units[0])["ExecReload"]:
            pid = (state / f"{units[0]}.pid").read_text()
            subprocess.run(shlex.split(line.replace("$MAINPID", pid)), check=True)
    elif verb in ("start", "restart"):
        if verb == "restart":
            _stop(state, units[0])
        return _start(state, units[0])
    else:
        print(f"systemctl: unexpected: {verb}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), *sys.argv[2:]))
