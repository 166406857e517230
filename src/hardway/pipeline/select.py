"""What a build of stages means: what is wanted, what a rotation takes along, and what to say at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from difflib import get_close_matches
from typing import Any

from hardway.graph.build import ASIDE, REISSUED, Builder, Outcome
from hardway.graph.store import RECORD
from hardway.model.derive.makers import NETWORK
from hardway.model.errors import ConfigError
from hardway.pipeline.partial import Partial, partial
from hardway.stages.row import Stage
from hardway.stages.table import BY_NUMBER, find
from hardway.workspace.folder import Workspace

MISSING, EXPIRED = "missing", "expired"
JOINING, PROXY = "cert/kubelet-client", "cert/kube-control-plane-kube-proxy-client"


def wanted(workspace: Workspace, stages: list[Stage], rotated: frozenset[str] = frozenset()) -> list[str]:
    """What the stages are made of; a rotation takes along everything derived from it, whatever the stage."""
    absent = [s for s in stages if s.work != "build"]
    if absent:
        raise ConfigError("\n".join(f"stage {s.label} has no files to build.\n    fix: {s.fix}" for s in absent))
    named = [address for stage in stages for address in workspace.of_stage(stage.number)]
    return [*named, *workspace.graph.users(rotated)]


def rotation(workspace: Workspace, builder: Builder, words: tuple[str, ...], now: datetime) -> frozenset[str]:
    """What to replace: keys by address, those that are gone, or those whose certificate has expired."""
    rotated: set[str] = set()
    for word in words:
        if word == MISSING:
            rotated.update(a.address for a in builder.lost(workspace.graph.values()))
        elif word == EXPIRED:
            rotated.update(d.address for d in deadlines(workspace) if d.ends <= now)
        else:
            rotated.update(_pair(word, workspace))
    return frozenset(rotated)


def _pair(address: str, workspace: Workspace) -> set[str]:
    """A key and its certificate go together; an id or a password stands alone."""
    kind, _, name = address.partition("/")
    asset = workspace.graph.get(f"key/{name}" if kind == "cert" else address)
    if asset is None or asset.kind != "origin":
        raise ConfigError(_unknown_key(address, workspace))
    return {a for a in (asset.address, f"cert/{name}") if a in workspace.graph}


def rotatable(workspace: Workspace) -> list[str]:
    known = [a for a, asset in workspace.graph.items() if asset.kind == "origin" or a.startswith("cert/")]
    return [MISSING, EXPIRED, *known]


def _unknown_key(address: str, workspace: Workspace) -> str:
    known = rotatable(workspace)
    near = [a for a in known if a.endswith(f"/{address}")] or get_close_matches(address, known, n=1, cutoff=0.8)
    hint = (
        f"did you mean {near[-1]}?" if near else "name a key/…, cert/…, id/… or password/… that `hardway graph` lists"
    )
    return f"--rotate {address}: there is no such key.\n    fix: {hint}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Deadline:
    address: str
    ends: datetime


def deadlines(workspace: Workspace) -> list[Deadline]:
    """When each certificate ends, read from the files themselves, the first one first."""
    from cryptography.x509 import load_pem_x509_certificate

    found: list[Deadline] = []
    for address, asset in workspace.graph.items():
        content = workspace.store.read(asset.path) if address.startswith("cert/") else None
        if content:
            with suppress(ValueError):  # a damaged file is verification's business
                ends = load_pem_x509_certificate(content).not_valid_after_utc
                found.append(Deadline(address=address, ends=ends))
    return sorted(found, key=lambda d: d.ends)


def joining_ends(workspace: Workspace) -> datetime | None:
    """When the identity ends that new nodes ask with."""
    from cryptography.x509 import load_pem_x509_certificate

    content = workspace.store.read(workspace.graph[JOINING].path)
    try:
        return load_pem_x509_certificate(content).not_valid_after_utc if content else None
    except ValueError:
        return None  # a damaged file is verification's business


def ended(workspace: Workspace, now: datetime) -> frozenset[str]:
    """What a build makes anew by itself: the identity that new nodes ask with, key and certificate, once it is over.
    Nobody who has joined needs the old one, and nobody who has read it can use it."""
    ends = joining_ends(workspace)
    return frozenset(_pair(JOINING, workspace)) if ends and ends <= now else frozenset()


def passed(workspace: Workspace, now: datetime) -> list[Deadline]:
    return [d for d in deadlines(workspace) if d.ends <= now]


def deadline_line(workspace: Workspace, now: datetime) -> str:
    ends, over = deadlines(workspace), passed(workspace, now)
    if [d.address for d in over] == [JOINING]:
        return f"deadline  PASSED: {JOINING} has expired, and no new node can join. Renew it with `hardway build`"
    if over:
        count = f"{len(over)} certificates have" if len(over) > 1 else f"{over[0].address} has"
        return f"deadline  PASSED: {count} expired. Renew with `hardway build --rotate {EXPIRED}`"
    if not ends:
        return ""
    first, when = ends[0].address, f"{ends[0].ends:%Y-%m-%d %H:%M} UTC"
    joined = f"{when}: {first}, with which new nodes join, expires then; `hardway build` renews it"
    other = f"{when}: {first} expires then; `hardway build --rotate {EXPIRED}` renews it"
    return f"deadline  install before {joined if first == JOINING else other}"


def unrenewed_line(workspace: Workspace) -> str:
    """The end of the one certificate that runs in the cluster and that nothing there renews."""
    found = next((d for d in deadlines(workspace) if d.address == PROXY), None)
    if found is None:
        return ""
    leaves = ", unless kube-proxy has left by then (stage 16)" if NETWORK in workspace.loaded.cluster.operators else ""
    return (
        f"renew     before {found.ends:%Y-%m-%d %H:%M} UTC{leaves}: kube-proxy's certificate expires then, and nothing "
        f"in the cluster renews it.\n          `hardway build --rotate {PROXY}`, then copy auth/kube-proxy.kubeconfig "
        "to every master"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    workspace: Workspace
    outcome: Outcome
    now: datetime
    once: tuple[str, ...]  # options that hold for this build only
    stages: Sequence[Stage] = ()  # those that the build was limited to; none: all

    def as_dict(self) -> dict[str, Any]:
        return {
            "made": self.outcome.made,
            "kept": len(self.outcome.kept),
            "removed": self.outcome.removed,
            "saved": list(self.outcome.saved),
            "record": self.outcome.fault,
            "seconds": {k: round(v, 3) for k, v in self.outcome.seconds.items()},
            "firstDeadline": next(
                ({"address": d.address, "ends": d.ends.isoformat()} for d in deadlines(self.workspace)), None
            ),
            "nodeFiles": self.workspace.base is not None,
            "partial": [lacks.as_dict()] if (lacks := self._lacks) else [],
            "releaseOrigin": self.workspace.loaded.cluster.release.origin,
        }

    def as_text(self, *more: str) -> str:
        lines = [*self._stages(), *more, *self._reasons()]
        lines += [f"removed   {path}: it is no longer part of the configuration" for path in self.outcome.removed]
        lines += self._saved()
        if self.outcome.fault:
            lines.append(f"note      {RECORD} {self.outcome.fault}; it is written again")
        lines += [
            f"note      {option} is for this build only; put it into hardway.yaml to keep it" for option in self.once
        ]
        release = self.workspace.loaded.cluster.release
        if release.origin == "catalogue" and not more:
            note = f"the release is the embedded catalogue of {release.version}; `hardway build 04` reads the real one"
            lines.append(f"note      {note}")
        if self.workspace.base is None and find("ignition").number in self.outcome.seconds:
            lines.append(self._no_base())
        lines.append(deadline_line(self.workspace, self.now))
        return "\n".join([*(line for line in lines if line), "", self._next()])

    def _saved(self) -> list[str]:
        """Each file on a line of its own; not those that differ because their certificates do."""
        lines = [f"saved     {path}: {reason}" for path, reason in self.outcome.saved.items() if reason != REISSUED]
        follow = sum(reason == REISSUED for reason in self.outcome.saved.values())
        return [*lines, *([f"saved     {follow} files in {ASIDE}/: {REISSUED}"] if follow else [])]

    def _next(self) -> str:
        """What can be verified now."""
        return " ".join(("Next: hardway verify", *(s.number for s in self.stages)))

    @property
    def _lacks(self) -> Partial | None:
        return partial(self.workspace.loaded.cluster, self.workspace.store.root)

    def _no_base(self) -> str:
        if lacks := self._lacks:
            return f"partial   {lacks.reason},\n          or --mco DIR (mco in hardway.yaml)"
        return "note      Ignition of masters and workers is from an earlier build; `hardway build 04` renews it"

    def _stages(self) -> list[str]:
        graph = self.workspace.graph
        made = Counter(graph[a].stage for a in self.outcome.made)
        kept = Counter(graph[a].stage for a in self.outcome.kept)
        return [
            f"{BY_NUMBER[number].label:38} {made[number]:4} made {kept[number]:4} kept  {spent:6.2f} s"
            for number, spent in sorted(self.outcome.seconds.items())
        ]

    def _reasons(self) -> list[str]:
        """Why things were made again; a first build needs no reasons."""
        again = Counter(r for r in self.outcome.made.values() if r not in ("missing", "not built yet"))
        return [f"rebuilt   {count}: {reason}" for reason, count in again.most_common(8)]


def spared(workspace: Workspace) -> Callable[[str], bool]:
    """What stays although no stage asks for it. A key may be asked for again. Without MCO's render the node files
    cannot be made, but those that were made before are still the plan's."""
    nodes = _unmade(workspace)
    return lambda address: address.startswith("key/") or address in nodes


def _unmade(workspace: Workspace) -> frozenset[str]:
    nodes = workspace.loaded.cluster.nodes if workspace.base is None else ()
    return frozenset(f"ignition/{node.name}" for node in nodes if node.role != "bootstrap")
