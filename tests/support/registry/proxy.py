"""A real squid on loopback. It alone knows that registry.example.com is here, so whoever gets there went through it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from hardway.tools.patience import Patience

NAME = "registry.example.com"
USER, PASSWORD = "outward", "s3cret-of-the-proxy"


@dataclass(frozen=True)
class Squid:
    host: str
    log: Path

    def went(self, what: str) -> bool:
        """Whether the proxy's own log tells of such a request; it is written after the request has ended."""
        patience = Patience(10)
        while not (found := self.log.exists() and what in self.log.read_text()) and not patience.ended():
            time.sleep(0.02)
        return found


@contextmanager
def squid(*, passwords: bool = False) -> Iterator[Squid]:
    """As root, squid becomes the user `proxy`, who must be able to write here."""
    program = shutil.which("squid")
    assert program, "squid is not installed"
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        if os.geteuid() == 0:
            shutil.chown(folder, "proxy")
        port = _free_port()
        config = _config(folder, port, passwords)
        process = subprocess.Popen(
            [program, "-N", "-n", f"loopback{port}", "-f", config], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            _wait(port, process, folder)
            yield Squid(f"127.0.0.1:{port}", folder / "access.log")
        finally:
            process.terminate()
            process.wait()


def _config(folder: Path, port: int, passwords: bool) -> Path:
    (folder / "hosts").write_text(f"127.0.0.1 {NAME}\n")
    lines = [
        f"http_port 127.0.0.1:{port}",
        f"hosts_file {folder}/hosts",
        "dns_nameservers 127.0.0.1",
        f"pid_filename {folder}/pid",
        f"access_log stdio:{folder}/access.log",
        f"cache_log {folder}/cache.log",
        f"coredump_dir {folder}",
        "cache deny all",
        "shutdown_lifetime 0 seconds",
    ]
    if passwords:
        with (folder / "users").open("wb") as users:
            subprocess.run(["htpasswd", "-bnm", USER, PASSWORD], check=True, stdout=users)
        lines += [
            f"auth_param basic program /usr/lib/squid/basic_ncsa_auth {folder}/users",
            "acl known proxy_auth REQUIRED",
            "http_access allow known",
        ]
    lines.append("http_access deny all" if passwords else "http_access allow all")
    file = folder / "squid.conf"
    file.write_text("\n".join(lines) + "\n")
    return file


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def _wait(port: int, process: subprocess.Popen[bytes], folder: Path) -> None:
    while True:
        assert process.poll() is None, (folder / "cache.log").read_text()
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
