"""A release: the image whose /release-manifests says what a version of OpenShift is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardway.lines.default import DEFAULT
from hardway.registry.access import Access, Progress
from hardway.registry.cache import Cache
from hardway.registry.errors import NotARelease
from hardway.registry.image import Image, open_image
from hardway.release.reference import of_version

if TYPE_CHECKING:
    from hardway.release.payload.read import Payload

FOLDER = "release-manifests"
NECESSARY = ("image-references", "release-metadata")


def read_release(reference: str, *, access: Access, cache: Cache, progress: Progress | None = None) -> Payload:
    """The payload of a release. A release has all of it in the newest layer that holds any of it, or spread over the
    newest few: no layer beneath the one that completes NECESSARY is fetched."""
    from hardway.release.payload.read import Payload

    with open_image(reference, access, cache, progress) as image:
        files = image.extract(FOLDER, enough=NECESSARY)
        _check(files, image)
        # The version operator reads the folder's own files alone, so folders in it are no part of the payload.
        own = {name: content for name, content in sorted(files.items()) if "/" not in name}
        return Payload(image=str(image.reference), files=own, platform=image.architecture())


def _check(files: dict[str, bytes], image: Image) -> None:
    missing = [name for name in NECESSARY if name not in files]
    if missing:
        has = f"its /{FOLDER} has no {' and no '.join(missing)}" if files else f"it has no /{FOLDER}"
        raise NotARelease(
            f"{image.reference}: an image, but not a release: {has}",
            fix=f"name a release image, for example {of_version(DEFAULT.release)}",
        )
