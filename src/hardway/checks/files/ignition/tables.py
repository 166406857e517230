"""Stage 08: each node's files, units and users, against the tables and the files on disk that they come from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from hardway.checks.files.artifacts import Artifacts
from hardway.checks.files.expected import given
from hardway.checks.files.ignition.file import REBUILD, Ign, bootstrap, members, node_path
from hardway.checks.files.shapes import mappings, strings, text
from hardway.graph.asset import Asset
from hardway.ignition import bootstrap as first
from hardway.ignition import network, ssh
from hardway.ignition.assets import BOOTSTRAP
from hardway.ignition.node.table import OWN, PROFILE, table
from hardway.ignition.rows import SECRET
from hardway.model.check import Flaw
from hardway.model.cluster import Node
from hardway.workspace import catalogue

CONTENT = "/etc/mcs-machine-config-content.json"
STATIC_PODS = "/etc/kubernetes/manifests/"
EMBEDDED = ("manifests", "openshift", "bootstrap-manifests", "bootstrap-configs")
CORE = "core"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A file that a node must have: what is in it, its mode, and which file on disk it is, if it is one."""

    path: str
    content: bytes
    mode: int
    origin: str = ""
    name: str = "what the configuration asks for"


def carried(artifacts: Artifacts) -> Iterator[Flaw]:
    """Every file and unit of the tables, byte for byte; and no static pod that is in no table."""
    ign = bootstrap(artifacts)
    if ign is not None:
        wanted = list(_bootstrap(artifacts))
        yield from _files(ign, wanted)
        yield from _units(ign, [row.entry() for row in first.unit_rows(artifacts.cluster)])
        yield from _left_behind(artifacts, ign)
    for node, ign in members(artifacts):
        rendered = ign.json(CONTENT)
        wanted = [*_member(artifacts, node), *_rendered(rendered, node)]
        yield from _files(ign, wanted)
        yield from _strangers(ign, {row.path for row in wanted})
        yield from _units(ign, mappings(rendered, "spec", "config", "systemd", "units"))


def _by_bootkube(artifacts: Artifacts) -> bool:
    """On the rendered road bootkube's stages bring static pods and CRDs, and the file has none."""
    return artifacts.cluster.road == "rendered"


def _bootstrap(artifacts: Artifacts) -> Iterator[Wanted]:
    brought = () if _by_bootkube(artifacts) else artifacts.files("crds/*.yaml")
    crds = {path.rsplit("/", 1)[-1]: artifacts.read(path) or b"" for path in brought}
    everything = Asset(address="", stage="", path="", mode=0, kind="derived", make=lambda given: b"", why=BOOTSTRAP)
    for row in first.file_rows(artifacts.cluster, catalogue.embedded(artifacts.cluster), {}):
        if row.make:
            content = row.make(given(artifacts, everything)).encode()
            yield Wanted(path=row.path, content=content, mode=row.mode)
        elif found := _from_disk(artifacts, row.path, row.mode, row.source):
            yield found
    for row in first.crd_rows(crds):
        name = row.path.rsplit("/", 1)[-1]
        yield Wanted(path=row.path, content=crds[name], mode=row.mode, name=f"crds/{name} on disk")


def _member(artifacts: Artifacts, node: Node) -> Iterator[Wanted]:
    for row in table("master" if node.role == "master" else "worker", artifacts.cluster):
        if row.source and (found := _from_disk(artifacts, row.path, row.mode, row.source)):
            yield found
    for key in ssh.HOST_KEYS:
        if found := _from_disk(artifacts, key.path, SECRET, key.of(node)):
            yield found
    profile = network.keyfile(artifacts.cluster, node).encode()
    yield Wanted(path=PROFILE.path, content=profile, mode=PROFILE.mode)


def _from_disk(artifacts: Artifacts, path: str, mode: int, address: str) -> Wanted | None:
    """What is missing on disk is another check's business."""
    origin = artifacts.paths[address]
    content = artifacts.read(origin)
    return (
        None
        if content is None
        else Wanted(path=path, content=content, mode=mode, origin=origin, name=f"{origin} on disk")
    )


def _rendered(config: Any, node: Node) -> Iterator[Wanted]:
    """What MCO rendered, but for the files that ours replace."""
    replaced = {row.path for row in (*table("master" if node.role == "master" else "worker"), *OWN)}
    source = Ign("", {"storage": {"files": mappings(config, "spec", "config", "storage", "files")}})
    for entry in source.entries:
        path, mode = text(entry, "path"), entry.get("mode")
        if path and path not in replaced:
            shown = mode if isinstance(mode, int) else 0
            yield Wanted(path=path, content=source.content(entry), mode=shown, name="the rendered config's")


def _files(ign: Ign, wanted: Iterable[Wanted]) -> Iterator[Flaw]:
    for row in wanted:
        entry = ign.entry(row.path)
        if entry is None:
            yield Flaw(subject=ign.path, message=f"{row.path} is missing", fix=REBUILD)
        elif ign.content(entry) != row.content:
            yield Flaw(subject=ign.path, message=f"{row.path} is not {row.name}", fix=REBUILD, origin=row.origin)
        elif row.mode and entry.get("mode") != row.mode:
            message = f"{row.path} has mode {entry.get('mode')}, and must have {row.mode} ({row.mode:04o})"
            yield Flaw(subject=ign.path, message=message, fix=REBUILD)


def _units(ign: Ign, wanted: Iterable[dict[str, Any]]) -> Iterator[Flaw]:
    for unit in wanted:
        name = text(unit, "name")
        if ign.unit(name) != unit:
            yield Flaw(subject=ign.path, message=f"the unit {name} is missing or differs from the table", fix=REBUILD)


def _left_behind(artifacts: Artifacts, ign: Ign) -> Iterator[Flaw]:
    """Both ways: documents on disk that no node gets, and static pods on the node that no table has."""
    known = {first.place(document): document.path for document in catalogue.embedded(artifacts.cluster)}
    for path in [p for folder in EMBEDDED for p in artifacts.files(f"{folder}/*")]:
        if path not in known.values():
            yield from _of_no_table(artifacts, ign, path)
    yield from _strangers(ign, set() if _by_bootkube(artifacts) else set(known))


def _of_no_table(artifacts: Artifacts, ign: Ign, path: str) -> Iterator[Flaw]:
    """A document of somebody's own: this cluster's folder does not have it, the Ignition file may."""
    carried = ign.file(node_path(path))
    if carried is None:
        message = f"{path} is on disk and not in the Ignition file, so nothing applies it"
        fix = f"remove {path}; apply it once the cluster is up"
        yield Flaw(subject=ign.path, message=message, fix=fix, origin=path)
    elif carried != artifacts.read(path):
        message = f"{node_path(path)} is not {path} on disk"
        yield Flaw(subject=ign.path, message=message, fix=REBUILD, origin=path)


def _strangers(ign: Ign, known: set[str]) -> Iterator[Flaw]:
    for path in sorted(ign.paths - known):
        if path.startswith(STATIC_PODS):
            yield Flaw(subject=ign.path, message=f"{path} is a static pod that no table has", fix=REBUILD)


def enabled(artifacts: Artifacts) -> Iterator[Flaw]:
    """What has to run is there, whole and enabled."""
    ign = bootstrap(artifacts)
    if ign is not None:
        needed = {row.name: bool(row.contents) for row in first.unit_rows(artifacts.cluster) if row.enabled}
        yield from _running(ign, needed)
    for _, ign in members(artifacts):
        units = mappings(ign.json(CONTENT), "spec", "config", "systemd", "units")
        needed = {text(u, "name"): bool(u.get("contents")) for u in units if u.get("enabled") is True}
        yield from _running(ign, {"kubelet.service": True} | needed)


def _running(ign: Ign, needed: dict[str, bool]) -> Iterator[Flaw]:
    for name, whole in needed.items():
        unit = ign.unit(name)
        if unit is None:
            yield Flaw(subject=ign.path, message=f"the unit {name} is missing", fix=REBUILD)
        elif unit.get("enabled") is not True or unit.get("mask"):
            yield Flaw(subject=ign.path, message=f"the unit {name} is not enabled", fix=REBUILD)
        elif whole and not text(unit, "contents"):
            yield Flaw(subject=ign.path, message=f"the unit {name} is empty", fix=REBUILD)


def login(artifacts: Artifacts) -> Iterator[Flaw]:
    """Whoever made the cluster can log in to its machines, to see why one of them does not join."""
    key = artifacts.cluster.ssh_key.strip() or artifacts.text(artifacts.paths[ssh.LOGIN_PUBLIC])
    ign = bootstrap(artifacts)
    if ign is not None:
        yield from _may_log_in(ign, [k for k in (key, artifacts.text(artifacts.paths[first.SSH])) if k])
    for _, ign in members(artifacts):
        rendered = _keys(mappings(ign.json(CONTENT), "spec", "config", "passwd", "users"))
        yield from _may_log_in(ign, rendered or [k for k in (key,) if k])


def _may_log_in(ign: Ign, wanted: list[str]) -> Iterator[Flaw]:
    found = _keys(ign.users)
    missing = [key for key in wanted if key not in found]
    if missing:
        message = f"user {CORE} lacks {len(missing)} of {len(wanted)} SSH keys, so nobody with them can log in"
        yield Flaw(subject=ign.path, message=message, fix=REBUILD)


def _keys(users: list[dict[str, Any]]) -> list[str]:
    return [key.strip() for user in users if user.get("name") == CORE for key in strings(user, "sshAuthorizedKeys")]
