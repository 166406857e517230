"""One repository of one registry: its manifests and its blobs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from hardway.registry import answers, challenge, tokens
from hardway.registry.access import Access
from hardway.registry.credentials import login_for
from hardway.registry.digest import of_bytes
from hardway.registry.errors import WrongDigest
from hardway.registry.manifest import ACCEPT, LARGEST
from hardway.registry.patience import patiently
from hardway.registry.wire.client import Wire, origin, place
from hardway.release.reference import Reference

if TYPE_CHECKING:
    import httpx2

MIRROR_ANEW = "the registry's storage or the connection is damaged: mirror the image again, or use another place"


class Repository:
    def __init__(self, where: Reference, access: Access, wire: Wire) -> None:
        self.where = where
        self.wire = wire
        self._access = access
        self._base = f"{access.scheme(where.registry)}://{where.registry}/v2/{where.repository}"
        self._authorization = ""

    def manifest(self, wanted: str) -> bytes:
        """By tag or digest, as the registry stores it: its digest is over these very bytes."""
        return patiently(lambda: self._manifest(wanted))

    def _manifest(self, wanted: str) -> bytes:
        with self._get(f"manifests/{wanted}", {"Accept": ACCEPT}) as response:
            content = self.wire.body(response, LARGEST, f"{self.where}: the manifest")
            claimed = wanted if ":" in wanted else response.headers.get("Docker-Content-Digest", "")
        if claimed.startswith("sha256:") and of_bytes(content) != claimed:
            raise WrongDigest(
                f"{self.where}: the manifest that the registry sent does not have the digest {claimed}",
                fix=MIRROR_ANEW,
            )
        return content

    @contextmanager
    def blob(self, digest: str, start: int) -> Iterator[httpx2.Response]:
        """A blob's bytes from `start` on, if the server knows ranges (206); all of them otherwise (200)."""
        headers = {"Range": f"bytes={start}-"} if start else {}
        with self._get(f"blobs/{digest}", headers) as response:
            yield response

    @contextmanager
    def _get(self, path: str, headers: Mapping[str, str]) -> Iterator[httpx2.Response]:
        """A token may have run out meanwhile: a 401 is answered once, whatever was sent before."""
        url = f"{self._base}/{path}"
        for again in (False, True):
            with self.wire.get(url, headers, self._authorization) as response:
                asked_here = origin(str(response.url)) == origin(url)
                if response.status_code != 401 or again or not asked_here:
                    self._check(response, path, asked_here)
                    yield response
                    return
                header = ", ".join(response.headers.get_list("WWW-Authenticate"))
            self._authorization = tokens.authorization(challenge.parse(header), self.where, self._access, self.wire)

    def _check(self, response: httpx2.Response, path: str, asked_here: bool) -> None:
        status, headers = response.status_code, response.headers
        if status in (200, 206, 416):
            return
        if not asked_here:
            raise answers.from_elsewhere(answers.read(status, headers), self.where, place(str(response.url)))
        answer = answers.read(status, headers, self.wire.body(response, LARGEST, str(self.where)))
        if status == 404:
            raise answers.absent(answer, self.where, path, repository=self._exists())
        raise answers.error_of(answer, self.where, login_for(self._access.pull_secret, self.where.name))

    def _exists(self) -> bool:
        """Not every registry says of its own accord whether the repository or the tag is missing."""
        with self.wire.get(f"{self._base}/tags/list?n=1", {}, self._authorization) as response:
            return response.status_code != 404
