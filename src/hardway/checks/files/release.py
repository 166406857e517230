"""Checks of stage 04: what was read of the release, read again and held against itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from hardway.checks.files.artifacts import Artifacts
from hardway.checks.files.shapes import at, parse_yaml
from hardway.model.check import Flaw
from hardway.model.cluster import PROFILE

RECORD = "release/release.json"
PAYLOAD = "release/manifests"
REFERENCES = f"{PAYLOAD}/image-references"
METADATA = f"{PAYLOAD}/release-metadata"
AGAIN = "remove assets/release and run `hardway build 04` again"
UNREAD = "the release is not read; `hardway build 04` reads it"
_PINNED = re.compile(r".+@sha256:[0-9a-f]{64}")


def unread(artifacts: Artifacts) -> str:
    """Until stage 04 has run there is a catalogue and nothing to check."""
    return "" if (artifacts.root / "release").is_dir() else UNREAD


def no_crds(artifacts: Artifacts) -> str:
    return "" if artifacts.files("crds/*") else unread(artifacts)


def present(artifacts: Artifacts) -> Iterator[Flaw]:
    for path in (RECORD, REFERENCES, METADATA):
        if not isinstance(artifacts.yaml(path), dict):
            yield Flaw(subject=path, message="is missing or damaged", fix=AGAIN)


def images(artifacts: Artifacts) -> Iterator[Flaw]:
    """The record is what everything else is built from; the payload's own list is the judge."""
    if not (said := named(artifacts)):
        return
    recorded: dict[str, Any] = at(artifacts.yaml(RECORD), "images") or {}
    for name in sorted(said.keys() | recorded.keys()):
        if said.get(name) != recorded.get(name):
            message = f"{name} is {recorded.get(name)}, the payload says {said.get(name)}"
            yield Flaw(subject=RECORD, message=message, fix=AGAIN, origin=REFERENCES)


def operators(artifacts: Artifacts) -> Iterator[Flaw]:
    """Who makes what was decided by the record; the manifests are the judge."""
    recorded = at(artifacts.yaml(RECORD), "brought", "deployments")
    said = recorded if isinstance(recorded, list) else []
    found = {_place(d) for path in artifacts.files(f"{PAYLOAD}/*.y*ml") for d in _deployments(artifacts, path)}
    for row in artifacts.cluster.line.operators:
        if (row.deployment in said) != (row.deployment in found):
            message = f"{row.deployment} is {'in' if row.deployment in said else 'not in'} the record, and the payload "
            message += f"{'has' if row.deployment in found else 'does not have'} such a Deployment"
            yield Flaw(subject=RECORD, message=message, fix=AGAIN, origin=PAYLOAD)


def _deployments(artifacts: Artifacts, path: str) -> Iterator[Any]:
    """Only those of a cluster that runs its own control plane."""
    if b"kind: Deployment" in (artifacts.read(path) or b""):
        for document in _documents(artifacts, path):
            if at(document, "kind") == "Deployment" and at(document, "metadata", "annotations", PROFILE) == "true":
                yield document


def _place(document: Any) -> str:
    return f"{at(document, 'metadata', 'namespace')}/{at(document, 'metadata', 'name')}"


def pinned(artifacts: Artifacts) -> Iterator[Flaw]:
    for name, spec in sorted(named(artifacts).items()):
        if not _PINNED.fullmatch(str(spec)):
            message = f"{name} is {spec}: not a digest, so it can change under the cluster"
            yield Flaw(subject=REFERENCES, message=message, fix="use a release whose images are named by digest")


def named(artifacts: Artifacts) -> dict[str, str]:
    tags = at(artifacts.yaml(REFERENCES), "spec", "tags")
    rows = tags if isinstance(tags, list) else []
    return {str(at(row, "name")): str(at(row, "from", "name")) for row in rows}


def version(artifacts: Artifacts) -> Iterator[Flaw]:
    wanted = artifacts.cluster.release.version
    found = {RECORD: ("version",), REFERENCES: ("metadata", "name"), METADATA: ("version",)}
    for path, where in found.items():
        said = at(artifacts.yaml(path), *where)
        if isinstance(artifacts.yaml(path), dict) and said != wanted:
            message = f"{'.'.join(where)} is {said}, the cluster is to be {wanted}"
            yield Flaw(subject=path, message=message, fix="run `hardway build` after the release has changed")


def crds(artifacts: Artifacts) -> Iterator[Flaw]:
    """Each file is a CRD, and no two define the same."""
    first: dict[str, str] = {}
    for path in artifacts.files("crds/*"):
        for document in _documents(artifacts, path):
            name = str(at(document, "metadata", "name"))
            if at(document, "kind") != "CustomResourceDefinition":
                yield Flaw(subject=path, message="is not a CustomResourceDefinition", fix=AGAIN)
            elif name in first:
                message = f"{name} is also in {first[name]}"
                yield Flaw(subject=path, message=message, fix="keep the one of the cluster's feature set")
            first.setdefault(name, path)


def kinds(artifacts: Artifacts) -> Iterator[Flaw]:
    """Somebody has to bring the kind of every object that is applied: the bootstrap's CRDs, or later the payload."""
    paths = (*artifacts.files("crds/*"), *artifacts.files("release/manifests/*crd*"))
    known = {_kind(d) for p in paths for d in _documents(artifacts, p)}
    known |= {_kind(d) for _, d in artifacts.objects("CustomResourceDefinition")}
    served = artifacts.cluster.line.served_kinds
    for path, document in artifacts.documents.items():
        api, kind = document["apiVersion"], document["kind"]
        group = api.rpartition("/")[0]
        if (api, kind) not in served and (group, kind) not in known:
            message = f"nothing in the release defines {kind} of {group}"
            yield Flaw(subject=path, message=message, fix="use a release that does; this object cannot be created")


def _kind(document: Any) -> tuple[str, str]:
    return str(at(document, "spec", "group")), str(at(document, "spec", "names", "kind"))


def _documents(artifacts: Artifacts, path: str) -> list[Any]:
    parts = re.split(rb"^---\s*$", artifacts.read(path) or b"", flags=re.MULTILINE)
    return [document for part in parts if (document := parse_yaml(part)) is not None]
