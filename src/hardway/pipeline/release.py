"""Stage 04 from end to end: the release into the folder, then MCO's render of the nodes' layer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from hardway.ignition.base import POOLS, Base, read_base
from hardway.lines.find import minor_of
from hardway.model.cluster import UNREAD, Release
from hardway.model.config.load import load
from hardway.model.errors import CheckError
from hardway.model.settings.file import Options
from hardway.registry.access import Access, Progress
from hardway.registry.choose import access_of
from hardway.registry.find import find
from hardway.registry.signature import trust
from hardway.release.payload.read import Payload, digest_of
from hardway.render import cvo
from hardway.render.mco import run
from hardway.render.mco.inputs import addresses
from hardway.workspace import keep
from hardway.workspace.folder import Workspace, inputs
from hardway.workspace.names import ASSETS, CRDS, MCO
from hardway.workspace.release import release_in

Say = Callable[[str], None]
REASON = "reason"  # why the release is believed, in its record


@dataclass(slots=True)
class ReleaseOutcome:
    """What stage 04 did, and what the folder has of it now."""

    release: Release
    reading: Reading | None = None
    render: Literal["made", "kept", "not made"] = "not made"
    why_not: str = ""
    crds: int = 0
    pools: dict[str, Base] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        return {
            "version": self.release.version,
            "image": self.release.image,
            "origin": self.release.origin,
            "read": bool(self.reading and not self.reading.unreachable),
            "crds": self.crds,
            "render": self.render,
            "pools": {name: _contents(base) for name, base in self.pools.items()},
        }

    def as_text(self) -> str:
        lines = self._release_lines()
        lines.append(f"render    {self.render}{f': {self.why_not}' if self.why_not else ''}")
        for name, base in self.pools.items():
            found = _contents(base)
            lines.append(f"          {name}: {len(found['files'])} files, {len(found['units'])} units ({base.name})")
        return "\n".join(lines)

    def _release_lines(self) -> list[str]:
        if self.reading and self.reading.unreachable:
            has = "image names and feature gates, no CRDs, no render"
            known = f"the embedded catalogue of {self.release.version} is used: {has}"
            return [f"note      {self.reading.unreachable}", f"          {known}"]
        done = "read" if self.reading else "kept"
        signed = [f"signature {self.reading.signature}"] if self.reading else []
        crds = f"{self.crds} CRDs for the bootstrap"
        return [f"release   {self.release.version} {done}: {self.release.image}, {crds}", *signed]


def _contents(base: Base) -> dict[str, list[str]]:
    return {
        "files": sorted(entry["path"] for entry in base.section("storage", "files")),
        "units": sorted(entry["name"] for entry in base.section("systemd", "units")),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A release that was asked for just now."""

    signature: str = ""
    unreachable: str = ""  # why the catalogue has to serve


def bring_release(folder: Path, options: Options, progress: Progress, *, named: bool = False) -> Reading | None:
    """Read the release into the folder; None if it is there already, and still believed. `named` says whether the
    user asked for this stage by its name."""
    loaded = load(inputs(folder), _named, options)
    settings, access = loaded.settings, access_of(loaded)
    every_crd = settings.crds == "all"
    asked = trust.Asked(
        name=settings.release,
        key=folder / settings.signature_key if settings.signature_key else None,
        store=settings.signature,
        allow_unsigned=settings.allow_unsigned,
    )
    if keep.is_kept(settings.release, loaded.cluster, folder / ASSETS, every_crd=every_crd):
        _believe_again(asked, folder / ASSETS, access, named=named)
        return None
    found, unreachable = find(settings.release, access, progress)
    if unreachable:
        return Reading(unreachable=unreachable)
    assert isinstance(found, Payload)
    load(inputs(folder), lambda _: _identity_of(found), options)  # refuses what does not fit, while nothing is written
    why = trust.believe(asked, digest_of(found.image), found.version, access)
    reason = {REASON: why, **asked.settings}
    keep.keep(found, settings.release, loaded.cluster, folder / ASSETS, every_crd=every_crd, trust=reason)
    return Reading(signature=why)


def _believe_again(asked: trust.Asked, assets: Path, access: Access, *, named: bool) -> None:
    """A reason holds while its settings do. --allow-unsigned is a reason for one build of the stage."""
    known = keep.trusted(assets)
    same = asked.settings.items() <= known.items() and REASON in known
    if same and not (named and known[REASON] == trust.UNSIGNED):
        return
    release = release_in(assets)(asked.name)
    why = trust.believe(asked, digest_of(release.image), release.version, access)
    if (reason := {REASON: why, **asked.settings}) != known:
        keep.trust_again(assets, reason)


def _demand_trust(workspace: Workspace) -> None:
    """Before a program of the release runs as root."""
    unsigned = keep.trusted(workspace.store.root).get(REASON) == trust.UNSIGNED
    if unsigned and not workspace.loaded.settings.allow_unsigned:
        message = "the release was taken with --allow-unsigned, and MCO's render would run its programs as root"
        raise CheckError(f"{message}.\n    fix: give --allow-unsigned again, or set `signatureKey` in hardway.yaml")


def _named(asked: str) -> Release:
    """All that a release's name says of it: the version, where the name is one."""
    return replace(UNREAD, version=asked) if minor_of(asked) else UNREAD


def _identity_of(payload: Payload) -> Release:
    """What a configuration must fit: the release's version and architecture."""
    return replace(UNREAD, version=payload.version, architecture=payload.architecture)


def needed(workspace: Workspace) -> list[str]:
    """What has to be built before the render."""
    return addresses(workspace.graph)


def render(workspace: Workspace, *, reading: Reading | None, say: Say) -> ReleaseOutcome:
    """Render the nodes' layer if something that it is made from has changed."""
    found = workspace.loaded.cluster.release
    outcome = ReleaseOutcome(release=found, reading=reading)
    if workspace.loaded.settings.mco:
        outcome.why_not = f"hardway.yaml names {workspace.loaded.settings.mco}"
    elif found.origin == "catalogue":
        outcome.why_not = "it needs the release's own image"
    else:
        outcome.render = _render(workspace, say)
    outcome.crds = len(list((workspace.store.root / CRDS).glob("*")))
    folder = workspace.store.root / MCO
    if folder.is_dir():
        base = read_base(folder, found.line)
        outcome.pools = {pool: base[pool] for pool in POOLS if pool in base}
    return outcome


def _render(workspace: Workspace, say: Say) -> Literal["made", "kept"]:
    store, found = workspace.store, workspace.loaded.cluster.release
    if not cvo.present(store.root / CRDS):
        _demand_trust(workspace)
        say("cluster-version-operator render, for its two CRDs")
        cvo.add_crds(workspace.graph, store, found, access_of(workspace.loaded), store.root / CRDS)
    job = run.prepare(
        workspace.graph,
        store,
        found,
        keep.references(store.root),
        access_of(workspace.loaded),
    )
    if run.current(job, store.root / MCO):
        return "kept"
    _demand_trust(workspace)
    with store.alone():
        run.make(job, store.root / MCO, say)
    return "made"
