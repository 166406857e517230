"""Stage 07: the documents as a whole, field by field, against the tables that they were written from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from hardway.checks.files.artifacts import Artifacts
from hardway.checks.files.expected import body, differences, given, in_words
from hardway.emit.document import Document
from hardway.model.check import Flaw
from hardway.workspace.catalogue import MANIFESTS, PODS

REBUILD = "remove the file and run `hardway build 07`"
MANY = 5
FAILURE = re.compile(r" \((F\d\d)\)")  # as a reason names it
SECRET_KINDS = ("ConfigMap", "Secret", "Proxy")  # a ConfigMap holds install-config; a proxy's URL, a password


def present(artifacts: Artifacts) -> Iterator[Flaw]:
    """Every manifest that the configuration asks for. A failure is that of the manifest, if its reason names one."""
    for row in MANIFESTS.rows(artifacts.cluster):
        if not artifacts.exists(row.path):
            named = FAILURE.search(row.why.breaks)
            message = f"the file is missing; effect: {FAILURE.sub('', row.why.breaks)}"
            fix = artifacts.build(row.path, "07")
            yield Flaw(subject=row.path, message=message, fix=fix, failure=named[1] if named else "")


def pod_fields(artifacts: Artifacts) -> Iterator[Flaw]:
    """Flags, mounts, images, probes: all of a pod, and the audit policy."""
    yield from _fields(artifacts, PODS.documents(artifacts.cluster))


def manifest_fields(artifacts: Artifacts) -> Iterator[Flaw]:
    yield from _fields(artifacts, MANIFESTS.documents(artifacts.cluster))
    for row in MANIFESTS.files(artifacts.cluster):
        content = artifacts.read(row.path)
        if content is not None and content.strip() != row.make(given(artifacts, row)).strip():
            yield Flaw(subject=row.path, message="it differs from the patch in the table", fix=REBUILD)


def _fields(artifacts: Artifacts, documents: Iterable[Document]) -> Iterator[Flaw]:
    for document in documents:
        wanted = body(artifacts, document)
        if not artifacts.exists(document.path):
            yield Flaw(subject=document.path, message="the file is missing", fix=artifacts.build(document.path, "07"))
        elif wanted is not None:
            found = list(differences(artifacts.yaml(document.path), wanted))
            secret = wanted.get("kind") in SECRET_KINDS
            for difference in found[:MANY]:
                yield Flaw(subject=document.path, message=in_words(*difference, secret=secret), fix=REBUILD)
            if len(found) > MANY:
                message = f"{len(found) - MANY} more fields differ from the table"
                yield Flaw(subject=document.path, message=message, fix=REBUILD)
