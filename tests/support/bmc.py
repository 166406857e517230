"""A BMC for the machines of a real libvirt: sushy-tools' emulator, over TLS, with a user and a password.

It runs with the machine's own Python, for which Debian has libvirt's bindings; the rest of it comes from this Python.
"""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import bcrypt
import sushy_tools

from tests.support.delivery import free_port
from tests.support.registry.tls import Authority
from tests.support.waiting import until

USER, PASSWORD = "admin", "correct horse"
START = "from sushy_tools.emulator.main import main; main()"
PACKAGES = Path(sushy_tools.__file__).parents[1]


@contextmanager
def emulator(folder: Path, authority: Authority, connect: str, pool: str, name: str = "127.0.0.1") -> Iterator[str]:
    """The address that it answers at, with a certificate for the name."""
    files = authority.tls(folder / "tls", name)["http"]["tls"]
    hashed = bcrypt.hashpw(PASSWORD.encode(), bcrypt.gensalt(4)).decode()
    (folder / "users").write_text(f"{USER}:{hashed}\n")
    port = free_port()
    settings = {
        "LISTEN_IP": "127.0.0.1",
        "LISTEN_PORT": port,
        "SSL_CERT": files["certificate"],
        "SSL_KEY": files["key"],
        "AUTH_FILE": str(folder / "users"),
        "LIBVIRT_URI": connect,
        "STORAGE_POOL": pool,
        "STATE_DIR": str(folder),
    }
    lines = [f"SUSHY_EMULATOR_{key} = {value!r}\n" for key, value in settings.items()]
    (folder / "emulator.conf").write_text("".join(lines))
    command = ["/usr/bin/python3", "-c", START, "--config", str(folder / "emulator.conf")]
    with (folder / "emulator.log").open("wb") as log:
        environment = {**os.environ, "PYTHONPATH": str(PACKAGES)}
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        try:
            until(lambda: _listens(port), (folder / "emulator.log").read_text)
            yield f"https://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait()


def _listens(port: int) -> bool:
    with socket.socket() as line:
        return line.connect_ex(("127.0.0.1", port)) == 0
