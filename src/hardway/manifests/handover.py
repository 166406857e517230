"""What operators read beside a certificate to decide whether it can stay: taken from the certificate itself."""

from __future__ import annotations

from datetime import datetime

from hardway.manifests.shapes import OWNER
from hardway.model.why import Why, because

NOT_BEFORE = "auth.openshift.io/certificate-not-before"
NOT_AFTER = "auth.openshift.io/certificate-not-after"
ISSUER = "auth.openshift.io/certificate-issuer"
HOSTNAMES = "auth.openshift.io/certificate-hostnames"
TYPE_LABEL = "auth.openshift.io/managed-certificate-type"


def of(pem: bytes, owner: str, *, hostnames: bool = False) -> dict[str, str]:
    """The annotations for the first certificate of a file; none where there is no certificate yet."""
    if not pem:
        return {}
    from cryptography import x509
    from cryptography.x509.oid import NameOID

    certificate = x509.load_pem_x509_certificate(pem)
    issuer = certificate.issuer.get_attributes_for_oid(NameOID.COMMON_NAME)[0].value
    said = {
        NOT_BEFORE: _rfc3339(certificate.not_valid_before_utc),
        NOT_AFTER: _rfc3339(certificate.not_valid_after_utc),
        ISSUER: str(issuer),
        OWNER: owner,
    }
    if hostnames:
        names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        addresses = {str(a) for a in names.get_values_for_type(x509.IPAddress)}
        said[HOSTNAMES] = ",".join(sorted(addresses | set(names.get_values_for_type(x509.DNSName))))
    return said


def _rfc3339(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


OWNER_REASON = because("The component that owns it.")
TYPE_REASON = because("What kind of certificate it is, in the operators' own terms.")
_PAIR: dict[str, Why] = {
    f'metadata.annotations["{OWNER}"]': OWNER_REASON,
    f'metadata.labels["{TYPE_LABEL}"]': TYPE_REASON,
    "type": because("A certificate and its key; the API checks that both are there."),
    'data["tls.crt"]': because("The certificate."),
    'data["tls.key"]': because("Its key."),
}


def _dated(since: str, until: str, issuer: Why, breaks: str = "") -> dict[str, Why]:
    return _PAIR | {
        f'metadata.annotations["{NOT_BEFORE}"]': because(since, breaks=breaks),
        f'metadata.annotations["{NOT_AFTER}"]': because(until, breaks=breaks),
        f'metadata.annotations["{ISSUER}"]': issuer,
    }


_AGE = "Start of its validity; operators compute its age from it."
_END = "End of its validity; operators renew it well before."


def signer(breaks: str) -> dict[str, Why]:
    """A CA that an operator signs with. `breaks` is what another CA in its place means."""
    taken = f"the operator treats the CA as missing and creates its own: {breaks}"
    return _dated(_AGE, _END, because("The signer: the CA itself."), taken)


_REISSUED = "the operator issues the certificate again at its first sync"
TARGET = _dated(
    _AGE, _END, because("The signer; operators look for this name in the CA bundle.", breaks=_REISSUED), _REISSUED
)
"""A certificate that an operator keeps up to date."""

UNMANAGED = _dated("Start of its validity.", "End of its validity.", because("Who signed it.")) | {
    f'metadata.annotations["{HOSTNAMES}"]': because("The names it serves, sorted.")
}
"""A serving certificate of the bootstrap node: operators keep those of the masters only."""
