"""Stage 04 from end to end: the release into the folder, then MCO's render of the nodes' layer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from hardway.ignition.base import POOLS, Base, read_base
from hardway.lines.find import minor_of
from hardway.model.cluster import UNREAD, Release
from hardway.model.config.load import load
from hardway.model.settings.file import Options
from hardway.registry.access import Access, Progress
from hardway.registry.cache import Cache
from hardway.registry.choose import access_of
from hardway.registry.errors import Unreachable
from hardway.registry.release import read_release
from hardway.registry.signature import trust
from hardway.release import brought
from hardway.release.payload.read import Payload, digest_of
from hardway.render import cvo
from hardway.render.mco import run
from hardway.render.mco.inputs import addresses
from hardway.render.trust import REASON, again, asked_by, demand
from hardway.workspace import keep
from hardway.workspace.folder import Workspace, inputs
from hardway.workspace.names import ASSETS, CRDS, MCO
from hardway.workspace.own import settle

Say = Callable[[str], None]


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
            "read": self.reading is not None,
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

    signature: str


def bring_release(
    folder: Path, options: Options, progress: Progress, *, named: bool = False, replace: Sequence[str] = ()
) -> Reading | None:
    """Read the release into the folder; None if it is there already, and still believed. `named` says whether the
    user asked for this stage by its name, `replace` what of ours may be replaced by the user's documents."""
    loaded = load(inputs(folder), _named, options)
    settings, access = loaded.settings, access_of(loaded)
    every_crd = settings.crds == "all"
    asked = asked_by(settings, folder)
    if keep.is_kept(settings.release, loaded.cluster, folder / ASSETS, every_crd=every_crd):
        again(asked, folder / ASSETS, access, named=named)
        return None
    found = _read(settings.release, access, progress)
    load(inputs(folder), lambda _: _identity_of(found), options)  # refuses what does not fit, while nothing is written
    why = trust.believe(asked, digest_of(found.image), found.version, access)
    settle(load(inputs(folder), lambda _: found.release(), options), folder, (*settings.replace, *replace))
    reason = {REASON: why, **asked.settings}
    keep.keep(found, settings.release, loaded.cluster, folder / ASSETS, every_crd=every_crd, trust=reason)
    return Reading(signature=why)


def _read(asked: str, access: Access, progress: Progress) -> Payload:
    """The catalogue does not serve here: who wants the release wants its CRDs and its render."""
    try:
        return read_release(asked, access=access, cache=Cache(), progress=progress)
    except Unreachable as error:
        fix = f"{error.fix}; or set `release` in hardway.yaml to a mirror, an oci:FOLDER or an oci-archive:FILE"
        raise Unreachable(error.what, fix=fix, notes=error.notes) from None


def _named(asked: str) -> Release:
    """All that a release's name says of it: the version, where the name is one."""
    return replace(UNREAD, version=asked) if minor_of(asked) else UNREAD


def _identity_of(payload: Payload) -> Release:
    """What a configuration must fit: the release's version, its architecture and its operators."""
    found = brought.read(payload.manifests)
    return replace(UNREAD, version=payload.version, architecture=payload.architecture, brought=found)


def needed(workspace: Workspace) -> list[str]:
    """What has to be built before the render."""
    return addresses(workspace.graph)


def render(workspace: Workspace, *, reading: Reading | None, say: Say) -> ReleaseOutcome:
    """Render the nodes' layer if something that it is made from has changed."""
    found = workspace.loaded.cluster.release
    outcome = ReleaseOutcome(release=found, reading=reading)
    if workspace.loaded.settings.mco:
        outcome.why_not = f"hardway.yaml names {workspace.loaded.settings.mco}"
    else:
        outcome.render = _render(workspace, say)
    outcome.crds = len(list((workspace.store.root / CRDS).glob("*")))
    folder = workspace.store.root / MCO
    if folder.is_dir():
        base = read_base(folder, found.line, assets=workspace.store.root)
        outcome.pools = {pool: base[pool] for pool in POOLS if pool in base}
    return outcome


def _render(workspace: Workspace, say: Say) -> Literal["made", "kept"]:
    store, found = workspace.store, workspace.loaded.cluster.release
    if not cvo.present(store.root / CRDS):
        demand(workspace)
        say("cluster-version-operator render, for its two CRDs")
        with store.alone():
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
    demand(workspace)
    with store.alone():
        run.make(job, store.root / MCO, say)
    return "made"
