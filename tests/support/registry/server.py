"""Real registries on loopback: plain, with passwords, with tokens, with TLS under a private CA."""

from __future__ import annotations

import base64
import http.client
import json
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from hardway.registry.access import Access
from hardway.registry.cache import Cache
from hardway.registry.release import read_release
from hardway.tools.patience import Patience
from tests.support.registry.images import Made

USER, PASSWORD = "reader", "s3cret-of-the-reader"


@dataclass(frozen=True)
class Registry:
    host: str  # 127.0.0.1:PORT
    storage: Path
    log: Path

    def push(self, repository: str, tag: str, made: Made) -> str:
        """Over the plain API, as any client does; the reference by tag."""
        connection = http.client.HTTPConnection(self.host)
        for one in (*made.below, made):
            for digest, content in one.blobs.items():
                _push_blob(connection, repository, digest, content)
            name = tag if one is made else one.digest
            headers = {"Content-Type": one.media}
            _ask(connection, "PUT", f"/v2/{repository}/manifests/{name}", one.manifest, headers, 201)
        connection.close()
        return f"{self.host}/{repository}:{tag}"

    def blob_file(self, digest: str) -> Path:
        """Where the registry keeps a blob: to damage it behind the registry's back."""
        hexadecimal = digest.removeprefix("sha256:")
        return self.storage / f"docker/registry/v2/blobs/sha256/{hexadecimal[:2]}/{hexadecimal}/data"

    def served(self, repository: str) -> list[tuple[str, int]]:
        """What the registry's own log says: path and bytes of every GET that it answered with content."""
        rows = [json.loads(line) for line in self.log.read_text().splitlines() if line.startswith("{")]
        return [
            (row["http.request.uri"], row.get("http.response.written", 0))
            for row in rows
            if row.get("http.request.method") == "GET"
            and f"/v2/{repository}/" in row.get("http.request.uri", "")
            and row.get("http.response.status") in (200, 206)
        ]

    def bytes_served(self, repository: str, expected: int) -> int:
        """The log is written after the last byte has gone: wait until it tells of as much as the client has."""
        patience = Patience(10)
        while (total := sum(size for _, size in self.served(repository))) < expected and not patience.ended():
            time.sleep(0.02)
        return total


def _ask(
    connection: http.client.HTTPConnection, method: str, path: str, body: bytes, headers: dict[str, str], want: int
) -> str:
    connection.request(method, path, body=body, headers=headers)
    response = connection.getresponse()
    said = response.read()
    assert response.status == want, (method, path, response.status, said[:500])
    return response.headers.get("Location", "")


def _push_blob(connection: http.client.HTTPConnection, repository: str, digest: str, content: bytes) -> None:
    location = urlsplit(_ask(connection, "POST", f"/v2/{repository}/blobs/uploads/", b"", {}, 202))
    query = f"{location.query}&digest={digest}"
    headers = {"Content-Type": "application/octet-stream"}
    _ask(connection, "PUT", f"{location.path}?{query}", content, headers, 201)


@contextmanager
def serving(folder: Path, storage: Path, **sections: Any) -> Iterator[Registry]:
    """A docker-registry over a storage folder, which several may share; `sections` go into its configuration."""
    program = shutil.which("docker-registry")
    assert program, "docker-registry is not installed"
    folder.mkdir(parents=True)
    config = {
        "version": 0.1,
        "log": {"formatter": "json", "level": "info"},
        "storage": {"filesystem": {"rootdirectory": str(storage)}},
        "http": {"addr": "127.0.0.1:0", "secret": "loopback", **sections.pop("http", {})},
        **sections,
    }
    (folder / "config.yml").write_text(json.dumps(config))
    log = folder / "log"
    with log.open("wb") as output:
        process = subprocess.Popen([program, "serve", folder / "config.yml"], stdout=output, stderr=output)
    try:
        yield Registry(f"127.0.0.1:{_port(log, process)}", storage, log)
    finally:
        process.terminate()
        process.wait()


def _port(log: Path, process: subprocess.Popen[bytes]) -> int:
    while not (found := re.search(r"listening on 127\.0\.0\.1:(\d+)", log.read_text())):
        assert process.poll() is None, log.read_text()
        time.sleep(0.02)
    return int(found[1])


def with_passwords(folder: Path) -> dict[str, Any]:
    """The configuration of a registry that USER alone may read."""
    folder.mkdir(parents=True)
    file = folder / "htpasswd"
    subprocess.run(["htpasswd", "-Bbn", USER, PASSWORD], check=True, stdout=file.open("wb"))
    return {"auth": {"htpasswd": {"realm": "loopback", "path": str(file)}}}


def pull_secret(*keys: str, user: str = USER, password: str = PASSWORD) -> str:
    auth = base64.b64encode(f"{user}:{password}".encode()).decode()
    return json.dumps({"auths": {key: {"auth": auth} for key in keys}})


class Reader:
    """A reader with a cache of its own, which keeps what it was told on the way."""

    def __init__(self, cache: Path, **access: Any) -> None:
        self.cache = Cache(cache)
        self.access = access
        self.told: list[tuple[str, int, int]] = []

    def read(self, reference: str, **access: Any) -> Any:
        return read_release(
            reference,
            access=Access(**{**self.access, **access}),
            cache=self.cache,
            progress=lambda what, done, total: self.told.append((what, done, total)),
        )

    @property
    def notes(self) -> list[str]:
        return [what for what, _, total in self.told if not total]
