"""Stage 06: every kubeconfig as its reader sees it."""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote
from typing import Any

from cryptography.x509 import Certificate

from hardway.checks.files.artifacts import Artifacts
from hardway.checks.files.shapes import certificates, from_base64, mappings, public_bytes, public_half, text
from hardway.kubeconfigs.table import Kubeconfig, rows
from hardway.model.check import Flaw
from hardway.pki import families
from hardway.pki.subject import subject_of

REBUILD = "remove the file and run `hardway build 06`"


def _one(config: Any, section: str, inner: str) -> dict[str, Any]:
    try:
        found = config[section][0][inner]
    except (KeyError, IndexError, TypeError):
        return {}
    return found if isinstance(found, dict) else {}


def _readable(artifacts: Artifacts) -> Iterator[tuple[Kubeconfig, dict[str, Any], dict[str, Any]]]:
    for row in rows(artifacts.cluster):
        config = artifacts.yaml(row.path)
        cluster, user = _one(config, "clusters", "cluster"), _one(config, "users", "user")
        if cluster and user:
            yield row, cluster, user


def present(artifacts: Artifacts) -> Iterator[Flaw]:
    for row in rows(artifacts.cluster):
        config = artifacts.yaml(row.path)
        if not artifacts.exists(row.path):
            yield Flaw(subject=row.path, message="the file is missing", fix=artifacts.build(row.path, "06"))
        elif not _one(config, "clusters", "cluster") or not _one(config, "users", "user"):
            yield Flaw(subject=row.path, message="it is not a kubeconfig with a cluster and a user", fix=REBUILD)


def modes(artifacts: Artifacts) -> Iterator[Flaw]:
    for row in rows(artifacts.cluster):
        if artifacts.exists(row.path) and artifacts.mode(row.path) & 0o077:
            message = f"it holds a private key and others can read it (mode {artifacts.mode(row.path):04o})"
            yield Flaw(
                subject=row.path, message=message, fix=f"run `chmod 600 {quote(str(artifacts.root / row.path))}`"
            )


def contexts(artifacts: Artifacts) -> Iterator[Flaw]:
    for row, _, _ in _readable(artifacts):
        config = artifacts.yaml(row.path)
        named = {text(context, "name") for context in mappings(config, "contexts")} - {""}
        if text(config, "current-context") not in named:
            message = "current-context names no context, so clients fall back to localhost:8080"
            yield Flaw(subject=row.path, message=message, fix=REBUILD)


def servers(artifacts: Artifacts) -> Iterator[Flaw]:
    for row, cluster, _ in _readable(artifacts):
        wanted = row.server(artifacts.cluster)
        if cluster.get("server") != wanted:
            message = f"server is {cluster.get('server')}, and must be {wanted}"
            yield Flaw(subject=row.path, message=message, fix=REBUILD)


def trust(artifacts: Artifacts) -> Iterator[Flaw]:
    for row, cluster, _ in _readable(artifacts):
        bundle = artifacts.read(f"tls/{row.trust}.crt")
        if bundle is not None and from_base64(cluster.get("certificate-authority-data")) != bundle:
            message = f"its CA data is not tls/{row.trust}.crt as it is on disk"
            yield Flaw(subject=row.path, message=message, fix=REBUILD)


def identity(artifacts: Artifacts) -> Iterator[Flaw]:
    wanted = {row.name: row.says.common_name for row in families.TABLE}
    for row, _, user in _readable(artifacts):
        cert, key = _certificate(user), public_half(from_base64(user.get("client-key-data")))
        if cert is None or key is None:
            yield Flaw(subject=row.path, message="its client certificate or key cannot be read", fix=REBUILD)
            continue
        if public_bytes(cert.public_key()) != key:
            yield Flaw(subject=row.path, message="its client key does not belong to its certificate", fix=REBUILD)
        name = subject_of(cert).common_name
        if name != wanted[row.identity]:
            message = f"it says it is {name}, and must be {wanted[row.identity]}"
            yield Flaw(subject=row.path, message=message, fix=REBUILD)


def _certificate(user: dict[str, Any]) -> Certificate | None:
    return next(iter(certificates(from_base64(user.get("client-certificate-data")))), None)


def accepted(artifacts: Artifacts) -> Iterator[Flaw]:
    """The API server must know the signer of every identity."""
    signers = {c.subject for c in artifacts.certs("tls/kube-apiserver-complete-client-ca-bundle.crt")}
    for row, _, user in _readable(artifacts):
        cert = _certificate(user)
        if cert is not None and signers and cert.issuer not in signers:
            message = "the signer of its certificate is not in the API server's client CA bundle: 401"
            yield Flaw(subject=row.path, message=message, fix=REBUILD)
