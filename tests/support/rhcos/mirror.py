"""A web server with images: it knows ranges, and has the faults of web servers on request."""

from __future__ import annotations

import json
import re
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import yaml

RELEASE = "418.94.202501221327-0"
NAMES = {"iso": "live.iso", "kernel": "kernel", "initramfs": "initramfs.img", "rootfs": "rootfs.img"}


@dataclass
class Mirror:
    address: str
    files: dict[str, bytes]
    cut_after: int = 0  # of each answer, so many bytes are sent, and then the connection ends
    ranges: bool = True
    status: int = 0  # instead of the file
    asked: list[tuple[str, str]] = field(default_factory=list)  # path and range

    def stream(self, **wrong: str) -> dict[str, Any]:
        """As the release has it; `wrong` names parts with another checksum."""
        rows = {
            part: {
                "location": f"{self.address}/{name}",
                "sha256": wrong.get(part) or sha256(self.files.get(name, b"")).hexdigest(),
            }
            for part, name in NAMES.items()
        }
        formats = {"iso": {"disk": rows.pop("iso")}, "pxe": rows}
        metal = {"release": RELEASE, "formats": formats}
        return {"stream": "rhcos-4.18", "architectures": {"x86_64": {"artifacts": {"metal": metal}}}}


class _Handler(BaseHTTPRequestHandler):
    mirror: Mirror

    def do_GET(self) -> None:
        mirror, wanted = self.mirror, self.headers.get("Range", "")
        mirror.asked.append((self.path, wanted))
        content = mirror.files.get(self.path.removeprefix("/"))
        status = mirror.status or (404 if content is None else 200)
        content = content if content is not None and status == 200 else b""
        start = int(found[1]) if mirror.ranges and (found := re.fullmatch(r"bytes=(\d+)-", wanted)) else 0
        if start and start >= len(content):
            status, start = 416, len(content)
        self.send_response(206 if start and status == 200 else status)
        self.send_header("Content-Length", str(len(content) - start))
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        self.end_headers()
        end = start + mirror.cut_after if mirror.cut_after else None
        self.wfile.write(content[start:end])
        self.close_connection = True

    def log_message(self, *words: object) -> None:
        """Nothing is printed: what was asked is in a list."""


@contextmanager
def mirror(files: dict[str, bytes], tls: dict[str, Any] | None = None, name: str = "127.0.0.1") -> Iterator[Mirror]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    if tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(tls["http"]["tls"]["certificate"], tls["http"]["tls"]["key"])
        server.socket = context.wrap_socket(server.socket, server_side=True)
    made = Mirror(address=f"{'https' if tls else 'http'}://{name}:{server.server_address[1]}", files=files)
    server.RequestHandlerClass = type("Handler", (_Handler,), {"mirror": made})
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield made
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def write_stream(assets: Path, stream: dict[str, Any]) -> None:
    """Into the folder where stage 04 leaves the release's manifests."""
    body = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "coreos-bootimages", "namespace": "openshift-machine-config-operator"},
        "data": {"releaseVersion": "4.18.0", "stream": json.dumps(stream)},
    }
    folder = assets / "release" / "manifests"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "0000_50_installer_coreos-bootimages.yaml").write_text(yaml.safe_dump(body))
    (folder / "0000_10_other.yaml").write_text("apiVersion: v1\nkind: Namespace\nmetadata: {name: other}\n")
