"""Stage 05: the files of tls/, and whether keys, certificates and signers belong together."""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote
from typing import TypeVar

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm

from hardway.checks.files.artifacts import Artifacts
from hardway.checks.files.shapes import public_bytes, public_half
from hardway.model.check import Flaw
from hardway.model.cluster import Node
from hardway.pki import bundles, families, keys
from hardway.pki.row import Cert

REBUILD = "run `hardway build 05`"
REPLACE = "put the key back, or run `hardway build --rotate missing`"
REMADE = "put the key back, or remove it and run `hardway build --rotate missing`"
T = TypeVar("T", bound=x509.ExtensionType)


def rotate(name: str) -> str:
    return f"run `hardway build --rotate cert/{name}`"


def rows(artifacts: Artifacts) -> Iterator[tuple[str, Cert, Node | None]]:
    """Each certificate that the cluster should have: its file's base name, its row and its node."""
    for row in families.rows(artifacts.cluster):
        nodes = artifacts.cluster.control_plane if row.per_etcd_node else (None,)
        for node in nodes:
            yield (f"{row.name}-{node.name}" if node else row.name), row, node


def issued(artifacts: Artifacts) -> Iterator[tuple[str, Cert, Node | None, x509.Certificate]]:
    """The same, with the certificate on disk, where there is one."""
    for name, row, node in rows(artifacts):
        if cert := artifacts.cert(f"tls/{name}.crt"):
            yield name, row, node, cert


def expected_files(artifacts: Artifacts) -> list[str]:
    names = [f"tls/{name}.{kind}" for name, _, _ in rows(artifacts) for kind in ("crt", "key")]
    names += [f"tls/{pair.name}.{kind}" for pair in keys.TABLE for kind in ("key", "pub")]
    return names + [f"tls/{bundle.name}.crt" for bundle in bundles.TABLE]


def present(artifacts: Artifacts) -> Iterator[Flaw]:
    for path in expected_files(artifacts):
        if not artifacts.exists(path):
            fix = artifacts.build(path, "05")
            lost = path.endswith(".key") and fix == REBUILD
            yield Flaw(subject=path, message="the file is missing", fix=REPLACE if lost else fix)


def readable(artifacts: Artifacts) -> Iterator[Flaw]:
    for path in expected_files(artifacts):
        if artifacts.exists(path) and not _parses(artifacts, path):
            again = f"remove it and {REBUILD}" if not path.endswith(".key") else REMADE
            yield Flaw(subject=path, message="the file is not the PEM that it should be", fix=again)


def _parses(artifacts: Artifacts, path: str) -> bool:
    if path.endswith(".crt"):
        return bool(artifacts.certs(path))
    if path.endswith(".key"):
        return public_bytes_of_key(artifacts, path) is not None
    return (artifacts.read(path) or b"").startswith((b"-----BEGIN", b"ssh-rsa "))


def public_bytes_of_key(artifacts: Artifacts, path: str) -> bytes | None:
    return public_half(artifacts.read(path) or b"")


def modes(artifacts: Artifacts) -> Iterator[Flaw]:
    for path in artifacts.files("tls/*.key"):
        if artifacts.mode(path) & 0o077:
            yield Flaw(
                subject=path,
                message=f"a private key that others can read (mode {artifacts.mode(path):04o})",
                fix=f"run `chmod 600 {quote(str(artifacts.root / path))}`, and rotate the key if the machine is shared",
            )
    for folder in (".", "tls", "auth"):
        if (artifacts.root / folder).is_dir() and artifacts.mode(folder) & 0o077:
            name = "the assets folder" if folder == "." else folder
            fix = f"run `chmod 700 {quote(str(artifacts.root / folder))}`"
            yield Flaw(subject=folder, message=f"{name} is open to others (mode {artifacts.mode(folder):04o})", fix=fix)


def to_issue_again(name: str, message: str) -> Flaw:
    return Flaw(subject=f"tls/{name}.crt", message=message, fix=f"remove the certificate and {REBUILD}")


def pairs(artifacts: Artifacts) -> Iterator[Flaw]:
    for name, _, _, cert in issued(artifacts):
        public = public_bytes_of_key(artifacts, f"tls/{name}.key")
        if public and public != public_bytes(cert.public_key()):
            yield to_issue_again(name, f"the certificate does not belong to tls/{name}.key")


def chains(artifacts: Artifacts) -> Iterator[Flaw]:
    for name, row, _, cert in issued(artifacts):
        signer = artifacts.cert(f"tls/{row.signer}.crt") if row.signer else cert
        if signer is None:
            continue
        try:
            cert.verify_directly_issued_by(signer)
        except (ValueError, TypeError, InvalidSignature, UnsupportedAlgorithm):
            yield to_issue_again(name, f"it was not signed by {row.signer or 'itself'} as it is on disk")
        if row.says.chain and [c.subject for c in artifacts.certs(f"tls/{name}.crt")[1:]] != [signer.subject]:
            yield to_issue_again(name, f"the file must contain {row.signer} after the leaf, and nothing else")


def authorities(artifacts: Artifacts) -> Iterator[Flaw]:
    for name, row, _, cert in issued(artifacts):
        basic = extension(cert, x509.BasicConstraints)
        usage = extension(cert, x509.KeyUsage)
        is_ca = bool(basic and basic.ca)
        if is_ca != row.is_ca:
            message = "it must be a certificate authority" if row.is_ca else "a leaf may not be a certificate authority"
            yield Flaw(subject=f"tls/{name}.crt", message=message, fix=rotate(name))
        elif row.is_ca and not (usage and usage.key_cert_sign):
            yield Flaw(
                subject=f"tls/{name}.crt", message="an authority without keyCertSign cannot sign", fix=rotate(name)
            )
        elif row.is_ca and basic and basic.path_length is not None:
            message = "a path length constraint would forbid what is signed under it"
            yield Flaw(subject=f"tls/{name}.crt", message=message, fix=rotate(name))


def extension(cert: x509.Certificate, kind: type[T]) -> T | None:
    try:
        return cert.extensions.get_extension_for_class(kind).value
    except (x509.ExtensionNotFound, ValueError):
        return None
