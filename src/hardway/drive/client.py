"""A small client of the Kubernetes API: objects are plain mappings, and what goes wrong is a value."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import quote, urlencode

from hardway.drive.access import Access
from hardway.drive.wire import JSON, SECONDS, Answer, Unanswered, Wire
from hardway.io.harmless import one_line
from hardway.model import json as bounded
from hardway.tools.patience import Patience

Object = Mapping[str, Any]
Kind = Literal["unanswered", "unauthorized", "forbidden", "not-found", "conflict", "invalid", "busy", "broken"]

MERGE = "application/merge-patch+json"
FOREIGN = "its CA did not sign the certificate of this server"
PAUSE = 1.0  # seconds before a patient client asks again
LONGEST = 300  # of the server's own words in a message

KINDS: dict[int, Kind] = {
    400: "invalid",
    401: "unauthorized",
    403: "forbidden",
    404: "not-found",
    409: "conflict",
    422: "invalid",
    429: "busy",
    503: "busy",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """Why there is no object. `kind` is for deciding, `message` for people; neither holds a credential."""

    kind: Kind
    message: str
    code: int = 0

    def __str__(self) -> str:
        return self.message

    @property
    def fix(self) -> str:
        """For a kubeconfig that the server or this machine refuses; empty for anything else."""
        if self.kind in ("unauthorized", "forbidden"):
            return "name an administrator's kubeconfig with --kubeconfig"
        if "CERTIFICATE_VERIFY_FAILED" in self.message:
            return f"name a kubeconfig of this cluster with --kubeconfig: {FOREIGN}"
        return ""


class Client:
    def __init__(self, access: Access, *, seconds: float = SECONDS) -> None:
        self._wire = Wire(access.endpoints, access.identity, seconds=seconds)
        self._patience = 0.0

    def patient(self, seconds: float) -> Client:
        """The same client, which asks again while the server is silent or busy. A change may be sent twice: its caller
        accepts the object that is there already. A server that was silent for so long is not waited for once more."""
        client = copy(self)
        client._patience = seconds
        return client

    def get(self, path: str) -> Object | Trouble:
        return self._object("GET", path)

    def items(self, path: str, **query: str) -> tuple[Object, ...] | Trouble:
        """All objects of a collection."""
        found = self._object("GET", f"{path}?{urlencode(query)}" if query else path)
        if isinstance(found, Trouble):
            return found
        rows = found.get("items") or []
        if isinstance(rows, list) and all(map(_is_named, rows)):
            return tuple(rows)
        return Trouble(kind="broken", message="the answer is not a list of objects with names")

    def create(self, path: str, body: Object) -> Object | Trouble:
        return self._object("POST", path, body)

    def replace(self, path: str, body: Object) -> Object | Trouble:
        """Refused as a conflict if the object has changed since the version in `body`."""
        return self._object("PUT", path, body)

    def patch(self, path: str, body: Object) -> Object | Trouble:
        """A merge patch: null removes."""
        return self._object("PATCH", path, body, MERGE)

    def delete(self, path: str) -> Object | Trouble:
        return self._object("DELETE", path)

    def text(self, path: str) -> str | Trouble:
        """What is not an object: health, logs."""
        answer = self._answer("GET", path)
        if isinstance(answer, Answer) and answer.code < 300:
            return answer.body.decode(errors="replace")
        return trouble(answer)

    def _object(self, method: str, path: str, body: Object | None = None, kind: str = JSON) -> Object | Trouble:
        data = json.dumps(body).encode() if body is not None else b""
        answer = self._answer(method, path, data, kind)
        if isinstance(answer, Unanswered) or answer.code >= 300:
            return trouble(answer)
        found = _parsed(answer.body)
        if found is None:
            return Trouble(kind="broken", message="the answer is not JSON, or has too many values", code=answer.code)
        return found

    def _answer(self, method: str, path: str, data: bytes = b"", kind: str = JSON) -> Answer | Unanswered:
        patience = Patience(self._patience)
        while _passing(answer := self._wire.request(method, path, data, kind)):
            if patience.ended():
                self._patience = 0.0
                break
            time.sleep(PAUSE)
        return answer


def _passing(answer: Answer | Unanswered) -> bool:
    """May be answered in a moment."""
    return isinstance(answer, Unanswered) or KINDS.get(answer.code) == "busy"


def trouble(answer: Answer | Unanswered) -> Trouble:
    if isinstance(answer, Unanswered):
        return Trouble(kind="unanswered", message=f"no answer from {answer.reason}")
    said = (_parsed(answer.body) or {}).get("message") or answer.body.decode(errors="replace")
    message = f"{answer.code}: {one_line(str(said).strip()[:LONGEST])}"
    return Trouble(kind=KINDS.get(answer.code, "broken"), message=message, code=answer.code)


def _is_named(row: object) -> bool:
    metadata = row.get("metadata") if isinstance(row, dict) else None
    name = metadata.get("name") if isinstance(metadata, dict) else None
    return isinstance(name, str) and bool(name) and name.isprintable()


def _parsed(body: bytes) -> dict[str, Any] | None:
    try:
        found = bounded.load(body)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def path(collection: str, name: str = "", *, namespace: str = "", sub: str = "") -> str:
    """`/api/v1/pods`, in a namespace, of one object, of a part of it."""
    head, _, resource = collection.rpartition("/")
    middle = f"/namespaces/{quote(namespace, safe='')}" if namespace else ""
    tail = "".join(f"/{quote(part, safe='')}" for part in (name, sub) if part)
    return f"{head}{middle}/{resource}{tail}"
