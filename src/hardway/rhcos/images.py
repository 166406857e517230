"""The RHCOS images that belong to the release: fetched once, checked whenever they are used."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from hardway.io import links, plain
from hardway.io.cache import cache_home
from hardway.model.cluster import Cluster
from hardway.model.errors import ConfigError
from hardway.registry.access import Access, Progress, silent
from hardway.registry.cache import Cache, Part
from hardway.registry.errors import Busy, Interrupted, NotFound, Refused, WrongDigest
from hardway.registry.patience import patiently
from hardway.registry.wire.client import Wire, place
from hardway.release import stream
from hardway.release.stream import Artifact, Stream
from hardway.workspace.names import RELEASE
from hardway.workspace.release import MANIFESTS

CHUNK = 1 << 20
_RANGE = re.compile(r"bytes (\d+)-")


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    path: Path
    sha256: str
    release: str  # of CoreOS; empty if nobody knows
    checked: bool  # against the release, or against what the user said


def stream_in(assets: Path) -> Stream | None:
    """The stream of the release that stage 04 read, if it did."""
    name = stream.NAME.encode()
    files = {p.name: links.read(p, below=assets) for p in sorted((assets / RELEASE / MANIFESTS).glob("*"))}
    return stream.find({file: content for file, content in files.items() if name in content})


def required(found: Stream | None, fix: str) -> Stream:
    if found is None:
        raise ConfigError(
            f"the RHCOS image of the release is not known: no release that was read names it.\n    fix: {fix}"
        )
    return found


def access_for(cluster: Cluster) -> Access:
    """The proxy and the trust of install-config: the images may be behind the same ones as the registry."""
    return Access(proxy=cluster.proxy, trust_bundle=cluster.trust_bundle)


def cache_folder() -> Path:
    return cache_home() / "rhcos"


def fetch(artifact: Artifact, access: Access, progress: Progress = silent, folder: Path | None = None) -> Image:
    """From the cache, or from its address, going on where an earlier attempt stopped."""
    cache, digest = Cache(folder or cache_folder()), f"sha256:{artifact.sha256}"
    if (present := cache.open(digest)) is None:
        wire = Wire(access)
        try:
            patiently(lambda: _download(artifact, wire, cache, progress))
        finally:
            wire.close()
    else:
        present.close()
    return Image(path=cache.path(digest), sha256=artifact.sha256, release=artifact.release, checked=True)


def _download(artifact: Artifact, wire: Wire, cache: Cache, progress: Progress) -> None:
    digest = f"sha256:{artifact.sha256}"
    with cache.part(digest, progress) as part:
        if part is None or (part.size and part.digest == digest):
            return
        with _answer(artifact, wire, part) as chunks:
            for chunk in chunks:
                part.write(chunk)
                progress(artifact.location.rpartition("/")[2], part.size, chunks.total)
        if part.size < chunks.total:
            raise Interrupted(f"{place(artifact.location)}: broke the connection", fix="run the same command again")
        if part.digest != digest:
            part.restart()
            message = f"{artifact.location}: has another checksum than the release says ({artifact.sha256})"
            raise WrongDigest(message, fix="fetch it from another mirror, and give it with --iso")


@dataclass(slots=True)
class _Chunks:
    content: Iterator[bytes]
    total: int

    def __iter__(self) -> Iterator[bytes]:
        return self.content


@contextmanager
def _answer(artifact: Artifact, wire: Wire, part: Part) -> Iterator[_Chunks]:
    """What is missing of the file; all of it, if the server does not know ranges."""
    headers = {"Range": f"bytes={part.size}-"} if part.size else {}
    host = place(artifact.location)
    with wire.get(artifact.location, headers) as response:
        status, start = response.status_code, _RANGE.match(response.headers.get("Content-Range", ""))
        if status == 416 or (status == 206 and (start is None or int(start[1]) != part.size)):
            part.restart()
            raise Interrupted(f"{host}: did not send the part that was requested", fix="run the same command again")
        if status == 404:
            raise NotFound(f"{artifact.location}: not found", fix="give the image yourself with --iso")
        if status == 429 or status >= 500:
            raise Busy(f"{host}: answers {status}", fix="try again later")
        if status not in (200, 206):
            raise Refused(f"{artifact.location}: answers {status}", fix="give the image yourself with --iso")
        if status == 200:
            part.restart()
        length = int(response.headers.get("Content-Length") or 0)
        yield _Chunks(content=wire.chunks(response), total=part.size + length)


def given(path: Path, known: Stream | None, expected: str, architecture: str) -> Image:
    """A file of the user's: held against what the user says of it, or else against the release."""
    found = checksum(path)
    artifact = known.artifact("metal", "iso", architecture=architecture) if known else None
    if expected and found != expected.lower():
        raise ConfigError(f"{path}: its SHA-256 is {found}, not {expected}.\n    fix: fetch the file again")
    if artifact and not expected and found != artifact.sha256:
        raise ConfigError(
            f"{path}: is not the image of the release ({artifact.release}): its SHA-256 is {found}.\n"
            "    fix: leave --iso out, or, if you want this image, give its checksum with --sha256"
        )
    ours = artifact is not None and found == artifact.sha256
    release = artifact.release if artifact and ours else ""
    return Image(path=path, sha256=found, release=release, checked=ours or bool(expected))


def checksum(path: Path) -> str:
    digest = hashlib.sha256()
    try:
        with plain.opened(path) as file:
            while piece := file.read(CHUNK):
                digest.update(piece)
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}.\n    fix: name a file that can be read") from None
    return digest.hexdigest()
