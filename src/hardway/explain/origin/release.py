"""Another release of the same line, as far as a build looks at one: no image is the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256

from hardway.lines.find import minor_of
from hardway.model.cluster import Release
from hardway.workspace.folder import Workspace
from hardway.workspace.release import release_in


def any_release(workspace: Workspace) -> Callable[[str], Release]:
    """What the folder knows, and in place of what it does not know a release that is made up."""
    known, find = workspace.loaded.cluster.release, release_in(workspace.store.root)

    def found(asked: str) -> Release:
        try:
            return find(asked)
        except KeyError:
            return _other(known, asked)

    return found


def _other(known: Release, asked: str) -> Release:
    version = asked if minor_of(asked) == minor_of(known.version) else known.version
    images = {name: _renamed(image) for name, image in known.images.items()}
    return replace(known, version=version, image=_renamed(known.image), images=images)


def _renamed(image: str) -> str:
    return f"{image.partition('@')[0]}@sha256:{sha256(image.encode()).hexdigest()}"
