"""Stage 08: keys and certificates inside the Ignition files, and what static pods read of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from hardway.checks.files.artifacts import Artifacts
from hardway.checks.files.ignition.file import REBUILD, Ign, files
from hardway.checks.files.shapes import certificates, from_base64, parse_yaml, public_bytes, public_half
from hardway.model.check import Flaw
from hardway.staticpods.paths import host_files

PEM = re.compile(rb"-----BEGIN [A-Z ]+-----[^-]+-----END [A-Z ]+-----\n?")
EMBEDDED = re.compile(rb"LS0tLS1CRUdJTi[A-Za-z0-9+/=]+")  # base64 of "-----BEGIN"
NEVER_ON_BOOTSTRAP = ("root-ca", "admin-kubeconfig-signer", "kubelet-bootstrap-kubeconfig-signer")


def _pems(content: bytes, label: bytes) -> Iterator[bytes]:
    """What has this label in a file, also where it is embedded in YAML or JSON as base64."""
    embedded = (from_base64((found + b"=" * (-len(found) % 4)).decode()) for found in EMBEDDED.findall(content))
    for text in (content, *embedded):
        yield from (pem for pem in PEM.findall(text) if label in pem.partition(b"\n")[0])


def _authorities(artifacts: Artifacts) -> dict[bytes, str]:
    """The public key of each signer, and its name; bundles only repeat them."""
    found: dict[bytes, str] = {}
    for path in artifacts.files("tls/*.crt"):
        cert = artifacts.cert(path)
        if cert is not None and cert.issuer == cert.subject and not path.endswith("-bundle.crt"):
            found[public_bytes(cert.public_key())] = path.removeprefix("tls/").removesuffix(".crt")
    return found


def no_ca_keys(artifacts: Artifacts) -> Iterator[Flaw]:
    authorities = _authorities(artifacts)
    public = cache(public_half)
    for node, ign in files(artifacts):
        for entry in ign.entries:
            for pem in _pems(ign.content(entry), b"PRIVATE KEY"):
                name = authorities.get(public(pem) or b"")
                if name and (node.role != "bootstrap" or name in NEVER_ON_BOOTSTRAP):
                    message = (
                        f"{entry.get('path')} has the private key of {name}: anyone with access to the node can sign "
                        "as that CA"
                    )
                    yield Flaw(subject=ign.path, message=message, fix=REBUILD)


def same_pki(artifacts: Artifacts) -> Iterator[Flaw]:
    """Whatever claims to be a certificate of tls/ must be it, or parts of different runs are mixed. Name and signer
    make the claim: one name may have certificates of several signers."""
    known = {c for path in artifacts.files("tls/*.crt") for c in artifacts.certs(path)}
    claims = {(c.subject, c.issuer) for c in known}
    parsed = cache(certificates)
    for _, ign in files(artifacts):
        for entry in ign.entries:
            inside = [c for pem in _pems(ign.content(entry), b"CERTIFICATE") for c in parsed(pem)]
            strangers = [c for c in inside if (c.subject, c.issuer) in claims and c not in known]
            if strangers:
                who = strangers[0].subject.rfc4514_string()
                message = f"{entry.get('path')} has another {who} than tls/: it is from another build"
                yield Flaw(subject=ign.path, message=message, fix=REBUILD)


def pod_files(artifacts: Artifacts) -> Iterator[Flaw]:
    """Everything that a static pod reads from the node must be in the node's file."""
    for _, ign in files(artifacts):
        for entry in ign.entries:
            path = str(entry.get("path"))
            if path.startswith("/etc/kubernetes/manifests/") and path.endswith(".yaml"):
                yield from _needed(ign, path, parse_yaml(ign.content(entry)))


def _needed(ign: Ign, path: str, pod: Any) -> Iterator[Flaw]:
    try:
        needed = host_files(pod)
    except (TypeError, LookupError, AttributeError):
        yield Flaw(subject=ign.path, message=f"{path} is not a Pod that a kubelet can read", fix=REBUILD)
        return
    for file in sorted(needed - ign.paths):
        message = f"{path.rsplit('/', 1)[-1]} reads {file}, which is not in the file"
        yield Flaw(subject=ign.path, message=message, fix=REBUILD)
