"""One blob from a repository into the cache: going on where an earlier try stopped, checked before it counts."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from hardway.registry.access import Progress
from hardway.registry.cache import Cache, Part
from hardway.registry.digest import short
from hardway.registry.errors import Interrupted, Passing, Truncated, WrongDigest
from hardway.registry.manifest import Descriptor
from hardway.registry.patience import patiently
from hardway.registry.repository import MIRROR_ANEW, Repository

if TYPE_CHECKING:
    import httpx2

WORTHWHILE = 1 << 20  # who has come so far since the last pause may be patient once more


def download(blob: Descriptor, repository: Repository, cache: Cache, progress: Progress) -> None:
    """Afterwards the cache has the blob; anything else is an error."""
    with cache.part(blob.digest, progress) as part:
        if part is None:
            return
        resumed = part.size > 0
        try:
            _complete(part, blob, repository, progress)
        except WrongDigest:
            if not resumed:
                raise
            _complete(part, blob, repository, progress)


def _complete(part: Part, blob: Descriptor, repository: Repository, progress: Progress) -> None:
    if part.size > blob.size:
        part.restart()
    step = partial(_go_on, part, blob, repository, progress)
    while part.size < blob.size:
        _with_progress(part, step)
    if part.digest != blob.digest:
        part.restart()
        raise WrongDigest(f"{repository.where}: blob {blob.digest} has another digest than its name", fix=MIRROR_ANEW)


def _with_progress(part: Part, step: Callable[[], None]) -> None:
    """A line that breaks again and again is fine as long as something comes each time."""
    before = part.size
    try:
        patiently(step)
    except Passing:
        if part.size < before + WORTHWHILE:
            raise


def _go_on(part: Part, blob: Descriptor, repository: Repository, progress: Progress) -> None:
    with repository.blob(blob.digest, part.size) as response:
        if response.status_code == 416 or not _continues(response, part.size):
            part.restart()
        if response.status_code == 416:
            raise Interrupted(f"{repository.where}: cannot continue with blob {blob.digest}", fix=MIRROR_ANEW)
        _check_size(response, part.size, blob, repository)
        for piece in repository.wire.chunks(response):
            part.write(piece)
            progress(f"layer {short(blob.digest)}", part.size, blob.size)
            if part.size > blob.size:
                part.restart()
                raise _long(blob, repository)
    if part.size < blob.size:
        raise _short(part.size, blob, repository)


def _continues(response: httpx2.Response, start: int) -> bool:
    """Whether the answer begins where we stopped, not at the beginning."""
    if response.status_code != 206:
        return start == 0
    return str(response.headers.get("Content-Range", "")).startswith(f"bytes {start}-")


def _check_size(response: httpx2.Response, start: int, blob: Descriptor, repository: Repository) -> None:
    """A wrong size that the server announces is wrong before the first byte."""
    announced = response.headers.get("Content-Length", "")
    size = start + int(announced) if announced.isdigit() else blob.size
    if size < blob.size:
        raise _short(size, blob, repository)
    if size > blob.size:
        raise _long(blob, repository)


def _short(size: int, blob: Descriptor, repository: Repository) -> Truncated:
    return Truncated(
        f"{repository.where}: blob {blob.digest} is truncated: {size} of {blob.size} bytes", fix=MIRROR_ANEW
    )


def _long(blob: Descriptor, repository: Repository) -> WrongDigest:
    return WrongDigest(
        f"{repository.where}: blob {blob.digest} is larger than the manifest's {blob.size} bytes", fix=MIRROR_ANEW
    )
