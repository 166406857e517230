"""`etcd grpc-proxy start` as the etcd operator's pod calls it: a member's metrics, for whoever the metrics CA vouches.

Upstream's proxy refuses a client certificate with a common name, which the operator's certificates have; OpenShift's
own etcd does not. Only the part that the pod is for is done here: what the member says at --endpoints is given on at
--metrics-addr, under the same certificates.
"""

from __future__ import annotations

import argparse
import ssl
import sys
from collections.abc import Sequence
from functools import partial
from http.client import HTTPException, HTTPSConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import AF_INET6
from urllib.parse import SplitResult, urlsplit

FILES = ("key", "key-file", "cert", "cert-file", "cacert", "trusted-ca-file")
PATHS = ("/metrics", "/health")
SECONDS = 10


def arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="etcd", description=__doc__)
    parser.add_argument("command", nargs=2, metavar="grpc-proxy start")
    for name in ("endpoints", "metrics-addr", *FILES):
        parser.add_argument(f"--{name}", required=True)
    for unused in ("listen-addr", "advertise-client-url", "listen-cipher-suites", "tls-min-version"):
        parser.add_argument(f"--{unused}")
    return parser.parse_args(argv)


def server(asked: argparse.Namespace) -> ThreadingHTTPServer:
    place = urlsplit(asked.metrics_addr)
    outward = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=asked.trusted_ca_file)
    outward.load_cert_chain(asked.cert_file, asked.key_file)
    outward.verify_mode = ssl.CERT_REQUIRED
    inward = ssl.create_default_context(cafile=asked.cacert)
    inward.load_cert_chain(asked.cert, asked.key)
    kind = _Six if ":" in str(place.hostname) else ThreadingHTTPServer
    made = kind((str(place.hostname), int(place.port or 0)), partial(_Answer, urlsplit(asked.endpoints), inward))
    made.socket = outward.wrap_socket(made.socket, server_side=True, do_handshake_on_connect=False)
    return made


class _Six(ThreadingHTTPServer):
    address_family = AF_INET6


class _Answer(BaseHTTPRequestHandler):
    timeout = SECONDS

    def __init__(self, member: SplitResult, trust: ssl.SSLContext, *rest: object) -> None:
        self.member, self.trust = member, trust
        super().__init__(*rest)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        if self.path not in PATHS:
            self.send_error(404)
            return
        host, port = str(self.member.hostname), self.member.port
        asked = HTTPSConnection(host, port, context=self.trust, timeout=SECONDS)
        try:
            asked.request("GET", self.path)
            said = asked.getresponse()
            body = said.read()
        except (OSError, HTTPException) as error:
            self.send_error(502, explain=f"the member does not answer: {error}")
            return
        finally:
            asked.close()
        self.send_response(said.status)
        self.send_header("Content-Type", said.getheader("Content-Type", "text/plain"))
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Every scrape would be a line."""


if __name__ == "__main__":
    server(arguments(sys.argv[1:])).serve_forever()
