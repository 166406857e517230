"""The cluster's API, over HTTPS with the pod's own service account."""

from __future__ import annotations

import json
import os
import ssl
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ACCOUNT = Path("/var/run/secrets/kubernetes.io/serviceaccount")
OPERATORS = "/apis/config.openshift.io/v1/clusteroperators"
SECONDS = 20


class Api:
    def __init__(self, server: str, account: Path) -> None:
        self._server = server
        self._account = account
        context = ssl.create_default_context(cafile=str(account / "ca.crt"))
        handlers = (urllib.request.HTTPSHandler(context=context), urllib.request.ProxyHandler({}))
        self._open = urllib.request.build_opener(*handlers).open

    def get(self, path: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self._ask("GET", path))
        return found

    def list(self, path: str) -> list[dict[str, Any]]:
        return list(self.get(path)["items"])

    def passes(self, check: str) -> bool:
        """Whether one of the server's own checks passes."""
        try:
            return self._ask("GET", f"/readyz/{check}") == b"ok"
        except urllib.error.HTTPError:
            return False

    def find(self, path: str) -> dict[str, Any] | None:
        """The object, or None if there is none."""
        try:
            return self.get(path)
        except urllib.error.HTTPError as error:
            if error.code != 404:
                raise
        return None

    def create(self, collection: str, body: Mapping[str, Any]) -> dict[str, Any]:
        made: dict[str, Any] = json.loads(self._ask("POST", collection, body))
        return made

    def operator(self, name: str) -> dict[str, Any]:
        """The ClusterOperator, created if nobody has yet."""
        body = {"apiVersion": "config.openshift.io/v1", "kind": "ClusterOperator", "metadata": {"name": name}}
        return self.find(f"{OPERATORS}/{name}") or self.create(OPERATORS, body)

    def patch(self, path: str, body: Mapping[str, Any]) -> None:
        """A merge patch: null removes."""
        self._ask("PATCH", path, body)

    def report(self, name: str, status: Mapping[str, Any]) -> None:
        self.patch(f"{OPERATORS}/{name}/status", {"status": status})

    def _ask(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> bytes:
        # The token is read each time: the kubelet replaces it before it expires.
        headers = {"Authorization": f"Bearer {(self._account / 'token').read_text().strip()}"}
        if body is not None:
            headers["Content-Type"] = "application/merge-patch+json" if method == "PATCH" else "application/json"
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(f"{self._server}{path}", data, headers, method=method)  # noqa: S310
        with self._open(request, timeout=SECONDS) as answer:
            content: bytes = answer.read()
            return content


def in_cluster() -> Api:
    host, port = os.environ["KUBERNETES_SERVICE_HOST"], os.environ["KUBERNETES_SERVICE_PORT"]
    return Api(f"https://{f'[{host}]' if ':' in host else host}:{port}", ACCOUNT)
