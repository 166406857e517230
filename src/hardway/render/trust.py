"""Why the release that a folder keeps is still believed: asked again before its programs run as root."""

from __future__ import annotations

from pathlib import Path

from hardway.model.settings.file import Settings
from hardway.registry.access import Access
from hardway.registry.choose import access_of
from hardway.registry.signature import trust
from hardway.release.payload.read import digest_of
from hardway.workspace import keep
from hardway.workspace.folder import Workspace
from hardway.workspace.release import release_in

REASON = "reason"  # why the release is believed, in its record


def asked_by(settings: Settings, folder: Path) -> trust.Asked:
    return trust.Asked(
        name=settings.release,
        key=folder / settings.signature_key if settings.signature_key else None,
        store=settings.signature,
        allow_unsigned=settings.allow_unsigned,
    )


def again(asked: trust.Asked, assets: Path, access: Access, *, named: bool) -> None:
    """A reason holds while its settings do. --allow-unsigned is a reason for one run of what is `named`."""
    known = keep.trusted(assets)
    same = asked.settings.items() <= known.items() and REASON in known
    if same and not (named and known[REASON] == trust.UNSIGNED):
        return
    release = release_in(assets)(asked.name)
    why = trust.believe(asked, digest_of(release.image), release.version, access)
    if (reason := {REASON: why, **asked.settings}) != known:
        keep.trust_again(assets, reason)


def demand(workspace: Workspace) -> None:
    """Before a program of the release runs as root."""
    settings = workspace.loaded.settings
    again(asked_by(settings, workspace.folder), workspace.store.root, access_of(workspace.loaded), named=True)
