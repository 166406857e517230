"""A release by its name, from a registry or a local image; from the embedded catalogue where no network can be had."""

from __future__ import annotations

from hardway.model.cluster import Release
from hardway.registry.access import Access, Progress
from hardway.registry.cache import Cache
from hardway.registry.errors import Unreachable
from hardway.registry.release import read_release
from hardway.release import catalogue
from hardway.release.payload.read import Payload
from hardway.release.reference import of_version


def find(asked: str, access: Access, progress: Progress | None = None) -> tuple[Payload | Release, str]:
    """The release, and why it is the catalogue's if it is. Only an unreachable network is no answer: an answer that
    is a refusal is an error, however well the catalogue knows the release."""
    try:
        return read_release(asked, access=access, cache=Cache(), progress=progress), ""
    except Unreachable as error:
        known = _in_catalogue(asked)
        if known is None:
            raise
        return known, error.what


def _in_catalogue(asked: str) -> Release | None:
    for version in catalogue.versions():
        release = catalogue.release_for(version)
        if asked in (version, str(of_version(version)), release.image):
            return release
    return None
