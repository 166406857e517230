"""Certificates of your own authorities."""

from __future__ import annotations

from collections.abc import Iterator

from hardway.model.config.draft import Draft
from hardway.model.config.pem import blocks
from hardway.model.config.rules.rule import Flaw, Rule, error, warn

_PATH = "additionalTrustBundle"


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


RULES = (
    Rule("trust.pem", (_PATH,), _pem),
    Rule("trust.unused", (_PATH, f"{_PATH}Policy", "proxy"), _unused),
)
