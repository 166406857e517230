"""Where a release's signatures are: a file, a folder laid out as a store, or a store on a web server.

A store keeps the signatures of an image under `sha256=DIGEST/signature-1`, `signature-2` and so on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from hardway.io import plain
from hardway.model.errors import ConfigError
from hardway.registry.access import Access
from hardway.registry.errors import Refused
from hardway.registry.patience import patiently
from hardway.registry.wire.client import Wire, place

MOST = 10  # how many signatures of one image are looked at
LARGEST = 50 * 1024  # bytes of one


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """Something that may be a signature."""

    where: str
    content: bytes = field(repr=False)


def candidates(source: str, digest: str, access: Access) -> Iterator[Candidate]:
    """What there is for an image, in order, fetched only as far as it is asked for."""
    if source.startswith("https://"):
        yield from _on_server(source.rstrip("/"), digest, access)
    elif "://" in source:
        raise ConfigError(
            f"--signature {source.split('://')[0]}://: not a store.\n    fix: give a file, a folder or https"
        )
    elif Path(source).is_dir():
        yield from _in_folder(Path(source) / _folder(digest))
    else:
        yield Candidate(where=source, content=_content(Path(source)))


def _folder(digest: str) -> str:
    return digest.replace(":", "=")


def _in_folder(folder: Path) -> Iterator[Candidate]:
    for number in range(1, MOST + 1):
        path = folder / f"signature-{number}"
        if not path.exists():
            return
        yield Candidate(where=str(path), content=_content(path))


def _content(path: Path) -> bytes:
    try:
        with plain.opened(path) as stream:
            content = stream.read(LARGEST + 1)
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}.\n    fix: give a signature that can be read") from None
    if len(content) > LARGEST:
        raise ConfigError(f"{path}: larger than {LARGEST} bytes.\n    fix: give the signature, not what it signs")
    return content


def _on_server(store: str, digest: str, access: Access) -> Iterator[Candidate]:
    wire = Wire(access)
    try:
        for number in range(1, MOST + 1):
            url = f"{store}/{_folder(digest)}/signature-{number}"
            content = patiently(partial(_get, wire, url))
            if content is None:
                return
            yield Candidate(where=url, content=content)
    finally:
        wire.close()


def _get(wire: Wire, url: str) -> bytes | None:
    with wire.get(url, {}) as response:
        if response.status_code == 404:
            return None
        if response.status_code != 200:
            message = f"{place(url)}: answers {response.status_code} when asked for a signature"
            raise Refused(message, fix="check the address of the signature store")
        return wire.body(response, LARGEST, "the signature")
