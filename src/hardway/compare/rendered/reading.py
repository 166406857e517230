"""Reads both sides from a cluster's folder: what operators rendered, and what is beside it from our own tables."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hardway.compare.contents import content
from hardway.compare.rendered import shapes
from hardway.compare.rendered.operators import BY_NAME, FOLDER, OPERATORS, Operator
from hardway.compare.rendered.shapes import OBJECT, misfits
from hardway.io import links
from hardway.model import yaml
from hardway.model.errors import ConfigError

OURS = ("manifests", "openshift", "crds")
IGNITION = "bootstrap.ign"
PLAN = "plan/cluster.yaml"
CONFIG = "config"  # what the API server's operator calls its configuration file
CONFIGURED = ("kube-apiserver",)  # the operators whose file is compared with flags
AUDIT, SERVER = "bootstrap-configs/audit-policy.yaml", "bootstrap-configs/kube-apiserver-config.yaml"
POLICY, OUR_POLICY = "cpc-config", "bootstrap-configs/cluster-policy-controller-config.yaml"
RECORD = "inputs.json"  # what a render was made from, which is not rendered
LAID = ("etc-kubernetes/", "tls/")  # folders that are copied to the machine as they are
AGAIN = "    fix: make it again with `hardway build`, or with `hardway render` what is below rendered/"
SHARED = ("DNS", "Ingress", "Network", "Proxy")  # kinds that several groups have
Body = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One operator's output, or ours: everything by name."""

    objects: Mapping[str, Body] = field(repr=False)
    files: Mapping[str, bytes] = field(repr=False)  # by path; for ours, by path on the bootstrap machine
    pod: Body | None = None
    config: Body | None = None  # the API server's
    audit: Body | None = None  # our policy, which is a file of its own
    policy: Body | None = None  # cluster-policy-controller's configuration file
    rest: tuple[str, ...] = ()  # files that are none of the above, nor laid on the machine


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """A cluster's folder. `ours` has a pod for each operator, by the operator's name."""

    assets: Path
    rendered: Mapping[str, Side]
    missing: tuple[Operator, ...]
    ours: Side
    pods: Mapping[str, Body]
    bootstrap: tuple[str, tuple[str, ...]]  # name and addresses of the machine that all this is for


def read(folder: Path) -> Folder:
    assets = folder / "assets"
    _require(assets)
    links.refuse(assets)
    links.refuse_below(assets)
    found = {o.name: o for o in OPERATORS if any(p.is_file() for p in (assets / FOLDER / o.name).rglob("*"))}
    if not found:
        raise ConfigError(
            f"{assets / FOLDER}: no operator has rendered here yet.\n"
            "    fix: `hardway render --all` lets the release's operators render for this cluster"
        )
    pods = {o.name: assets / o.ours for o in OPERATORS if o.ours and (assets / o.ours).is_file()}
    return Folder(
        assets=assets,
        rendered={name: _rendered(assets / FOLDER / name) for name in found},
        missing=tuple(o for o in OPERATORS if o.name not in found),
        ours=_ours(assets),
        pods={name: _pod(path) for name, path in pods.items()},
        bootstrap=_bootstrap(assets / PLAN),
    )


def _require(assets: Path) -> None:
    missing = [p for p in ("manifests", "bootstrap-manifests", PLAN) if not (assets / p).exists()]
    if missing:
        raise ConfigError(
            f"{assets}: there is no {', no '.join(missing)}: nothing to compare with.\n"
            "    fix: `hardway build` makes it, or name the cluster's folder"
        )


def _ours(assets: Path) -> Side:
    files = [p for name in OURS for p in sorted((assets / name).glob("*")) if p.is_file()]
    audit, config, policy = assets / AUDIT, assets / SERVER, assets / OUR_POLICY
    return Side(
        objects={name: body for path in files for name, body in _objects(path).items()},
        files=_on_the_machine(assets / IGNITION),
        config=_one(config, shapes.CONFIG) if config.is_file() else None,
        audit=_one(audit, shapes.POLICY) if audit.is_file() else None,
        policy=_one(policy, shapes.CONTROLLERS) if policy.is_file() else None,
    )


def _rendered(folder: Path) -> Side:
    files = {str(p.relative_to(folder)): p for p in sorted(folder.rglob("*")) if p.is_file() and p.name != RECORD}
    own = BY_NAME[folder.name].pod
    inside = {file: _objects(p) for file, p in files.items() if "manifests" in Path(file).parts[:-1] and file != own}
    config = _one(files[CONFIG], shapes.CONFIG) if folder.name in CONFIGURED and CONFIG in files else None
    policy = _one(files[POLICY], shapes.CONTROLLERS) if POLICY in files else None
    configs = {name for name, body in ((CONFIG, config), (POLICY, policy)) if body}
    known = {own, *(file for file, found in inside.items() if found), *configs}
    return Side(
        objects={name: body for found in inside.values() for name, body in found.items()},
        files={name: links.read(p) for name, p in files.items()},
        pod=_pod(files[own]) if own in files else None,
        config=config,
        policy=policy,
        rest=tuple(name for name in files if name not in known and not name.startswith(LAID)),
    )


def documents(path: Path) -> list[Body]:
    """Every document of a file that is one of Kubernetes' kind; the rest is no document."""
    try:
        found = yaml.load_all(links.read(path), "dates as text")
    except yaml.YamlError as error:
        raise ConfigError(f"{path}:{error.line}:{error.column}: {error.message}.\n{AGAIN}") from None
    return [body for body in found if isinstance(body, dict)]


def _one(path: Path, shape: Mapping[str, Any]) -> Body:
    found = documents(path)
    if len(found) != 1:
        raise ConfigError(f"{path}: this is not one document.\n{AGAIN}")
    return _fitting(found[0], path, shape)


def _objects(path: Path) -> dict[str, Body]:
    """The objects in a file: what has a kind and is about something."""
    found = [body for body in documents(path) if "kind" in body and "metadata" in body]
    return {name(_fitting(body, path, OBJECT)): body for body in found}


def _fitting(body: Body, path: Path, shape: Mapping[str, Any]) -> Body:
    wrong = list(misfits(body, shape))
    if wrong:
        raise ConfigError(f"{path}: this is not valid for Kubernetes: {', '.join(wrong[:3])}.\n{AGAIN}")
    return body


def name(body: Mapping[str, Any]) -> str:
    """Kind, namespace and name; with its group where several groups have such a kind."""
    group, slash, _ = str(body.get("apiVersion", "")).partition("/")
    kind, about = body["kind"], body["metadata"]
    if slash and kind in SHARED:
        kind = f"{kind}.{group}"
    namespace = about.get("namespace")
    return f"{kind} {namespace}/{about.get('name')}" if namespace else f"{kind} {about.get('name')}"


def _pod(path: Path) -> Body:
    body = _one(path, shapes.POD)
    if body["kind"] != "Pod":
        raise ConfigError(f"{path}: this is not a Pod.\n{AGAIN}")
    return body


def _on_the_machine(ignition: Path) -> dict[str, bytes]:
    if not ignition.is_file():
        return {}
    try:
        entries = json.loads(links.read(ignition))["storage"]["files"]
        return {str(entry["path"]): content(entry) for entry in entries}
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise ConfigError(
            f"{ignition}: this is not an Ignition config with files.\n    fix: `hardway build 08` makes it again"
        ) from None


def _bootstrap(plan: Path) -> tuple[str, tuple[str, ...]]:
    try:
        nodes = documents(plan)[0]["nodes"]
        [node] = [node for node in nodes if node["role"] == "bootstrap"]
        return str(node["name"]), tuple(str(address) for address in node["addresses"])
    except (LookupError, TypeError, ValueError):
        raise ConfigError(f"{plan}: it names no bootstrap machine.\n    fix: `hardway build 03` writes it") from None
