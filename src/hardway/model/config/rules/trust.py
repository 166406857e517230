"""Certificates of your own authorities."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator

from hardway.model.config.draft import Draft
from hardway.model.config.rules.rule import Flaw, Rule, error, warn

_PATH = "additionalTrustBundle"
_BLOCK = (
    r"(?s)(?:\A|\n)-----BEGIN (?P<kind>[^\n]*?)-----[ \t\r]*\n"
    r"(?P<body>(?:.*?\n)??)"
    r"-----END (?P=kind)-----[ \t\r]*(?:\n|\Z)"
)
_HEADER = r"[^\n:]*:[^\n]*\n"


def _pem(draft: Draft) -> Iterator[Flaw]:
    text = draft.text(_PATH)
    if not text:
        return
    found = blocks(text)
    if found is None:
        message = "is not a chain of PEM blocks, or has something after the last one (even an empty line)"
        yield error(_PATH, message, "use a block scalar (|) that ends with -----END CERTIFICATE-----")
        return
    for number, der in enumerate(found, 1):
        yield from _certificate(number, der)


def _certificate(number: int, der: bytes) -> Iterator[Flaw]:
    from cryptography import x509  # slow to import, and few files have a bundle

    try:
        certificate = x509.load_der_x509_certificate(der)
        old = certificate.version is x509.Version.v1
        constraints = [e.value for e in certificate.extensions if isinstance(e.value, x509.BasicConstraints)]
    except (ValueError, x509.InvalidVersion, x509.DuplicateExtension):
        message = f"block {number} is not an X.509 certificate"
        yield error(_PATH, message, "leave only certificates in it: no keys, no requests")
        return
    if not old and not any(constraint.ca for constraint in constraints):
        message = f"certificate {number} is not a CA, so nothing that it signed will be trusted"
        yield warn(_PATH, message, "put the issuing CA's certificate in its place")


def _unused(draft: Draft) -> Iterator[Flaw]:
    if draft.text(_PATH) and draft.text(f"{_PATH}Policy") == "Proxyonly" and not draft.values.get("proxy"):
        message = "does not reach the cluster's operators and pods: the policy is Proxyonly and there is no proxy"
        yield warn(_PATH, message, f"write {_PATH}Policy: Always")


def blocks(text: str) -> list[bytes] | None:
    """The decoded blocks, or None when there is none or something follows the last one: Go's encoding/pem skips text
    before a block, and does not forgive text after the last one."""
    found: list[bytes] = []
    while True:
        decoded, text = _next(text)
        if decoded is None:
            return None
        found.append(decoded)
        if not text:
            return found


def _next(text: str) -> tuple[bytes | None, str]:
    position = 0
    while match := re.compile(_BLOCK).search(text, position):
        body = match["body"]
        while header := re.match(_HEADER, body):
            body = body[header.end() :]
        try:
            return base64.b64decode("".join(body.split()), validate=True), text[match.end() :]
        except ValueError:
            position = match.start() + 1
    return None, ""


RULES = (
    Rule("trust.pem", (_PATH,), _pem),
    Rule("trust.unused", (_PATH, f"{_PATH}Policy", "proxy"), _unused),
)
