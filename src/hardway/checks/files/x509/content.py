"""Stage 05: what the certificates, bundles and public keys say, against the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Set
from datetime import timedelta

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID

from hardway.checks.files.artifacts import Artifacts
from hardway.checks.files.shapes import public_bytes, public_key
from hardway.checks.files.x509.chain import REBUILD, extension, issued, public_bytes_of_key, rotate, to_issue_again
from hardway.model.check import Flaw
from hardway.pki import bundles, keys
from hardway.pki.subject import subject_of

WARN_BELOW = timedelta(hours=12)
FAIL_BELOW = timedelta(hours=2)
_USAGES = {"server": ExtendedKeyUsageOID.SERVER_AUTH, "client": ExtendedKeyUsageOID.CLIENT_AUTH}


def subjects(artifacts: Artifacts) -> Iterator[Flaw]:
    for name, row, _, cert in issued(artifacts):
        found = subject_of(cert)
        parts = [("O", found.organizations, set(row.says.organizations)), ("OU", found.units, {row.says.unit} - {""})]
        if "{" not in row.says.common_name:  # otherwise it is computed, and nobody depends on it
            parts.insert(0, ("CN", frozenset({found.common_name}), {row.says.common_name}))
        for part, said, wanted in parts:
            if said != wanted:
                yield to_issue_again(name, f"{part} is {_listed(said)}, and must be {_listed(wanted)}")


def _listed(names: Set[str]) -> str:
    return ", ".join(sorted(names)) or "empty"


def usages(artifacts: Artifacts) -> Iterator[Flaw]:
    for name, row, _, cert in issued(artifacts):
        found = frozenset(extension(cert, x509.ExtendedKeyUsage) or ())
        missing = [u for u in row.says.usages if _USAGES[u] not in found]
        surplus = [u for u, oid in _USAGES.items() if oid in found and u not in row.says.usages]
        if missing:
            message = f"extended key usage lacks {' and '.join(missing)}"
            yield to_issue_again(name, message)
        if surplus:
            message = f"extended key usage has {' and '.join(surplus)}, which it must not be used as"
            yield to_issue_again(name, message)


def names(artifacts: Artifacts) -> Iterator[Flaw]:
    for name, row, node, cert in issued(artifacts):
        sans = extension(cert, x509.SubjectAlternativeName)
        found = {str(n.value) for n in sans or ()}
        missing = [n for n in row.sans(artifacts.cluster, node) if n not in found]
        if missing:
            yield to_issue_again(name, f"it is not valid for {', '.join(missing)}, on which it is served")


def validity(artifacts: Artifacts) -> Iterator[Flaw]:
    for name, row, _, cert in issued(artifacts):
        subject = f"tls/{name}.crt"
        left = cert.not_valid_after_utc - artifacts.now
        when = "has expired" if left < timedelta() else f"ends in {left.seconds // 60} minutes"
        if left < FAIL_BELOW and row.lifetime == "joining":  # whoever has joined does without it
            message = f"it {when}; no new node can join with it after that"
            yield Flaw(subject=subject, message=message, fix=rotate(name), severity="warning")
        elif left < FAIL_BELOW:
            yield Flaw(subject=subject, message=f"it {when}; no installation fits into that", fix=rotate(name))
        elif left < WARN_BELOW:
            message = f"it expires in {left.seconds // 3600} hours; an installation may not be finished by then"
            yield Flaw(subject=subject, message=message, fix=rotate(name), severity="warning")


def not_before(artifacts: Artifacts) -> Iterator[Flaw]:
    for name, _, _, cert in issued(artifacts):
        if cert.not_valid_before_utc > artifacts.now:
            yield Flaw(
                subject=f"tls/{name}.crt",
                message=f"it is not valid before {cert.not_valid_before_utc:%Y-%m-%d %H:%M} UTC, in the future",
                fix=f"set this machine's clock, then {rotate(name)}",
            )


def strength(artifacts: Artifacts) -> Iterator[Flaw]:
    for name, _, _, cert in issued(artifacts):
        key = cert.public_key()
        algorithm = cert.signature_hash_algorithm
        good_key = (isinstance(key, rsa.RSAPublicKey) and key.key_size >= 2048) or (
            isinstance(key, ec.EllipticCurvePublicKey) and key.curve.name in ("secp256r1", "secp384r1", "secp521r1")
        )
        if not good_key:
            message = "the key is neither RSA of 2048 bits or more nor a NIST curve: FIPS forbids it, Go may refuse it"
            yield Flaw(subject=f"tls/{name}.crt", message=message, fix=rotate(name))
        if algorithm is None or algorithm.name not in ("sha256", "sha384", "sha512"):
            yield Flaw(subject=f"tls/{name}.crt", message="it is not signed with SHA-2", fix=rotate(name))


def serials(artifacts: Artifacts) -> Iterator[Flaw]:
    seen = Counter((cert.issuer, cert.serial_number) for _, _, _, cert in issued(artifacts))
    for name, _, _, cert in issued(artifacts):
        if seen[cert.issuer, cert.serial_number] > 1:
            message = "another certificate of the same signer has the same serial number"
            yield to_issue_again(name, message)


def signers(artifacts: Artifacts) -> Iterator[Flaw]:
    """A verifier finds a signer by its key: two signers of one key are one."""
    first: dict[bytes, str] = {}
    for name, row, _, cert in issued(artifacts):
        if row.is_ca and (other := first.setdefault(public_bytes(cert.public_key()), name)) != name:
            message = f"its key is that of tls/{other}.crt: a certificate of one is valid for the other"
            yield Flaw(subject=f"tls/{name}.crt", message=message, fix=f"run `hardway build --rotate key/{name}`")


def bundle_contents(artifacts: Artifacts) -> Iterator[Flaw]:
    for bundle in bundles.TABLE:
        found = artifacts.certs(f"tls/{bundle.name}.crt")
        wanted = [artifacts.cert(f"tls/{signer}.crt") for signer in bundle.signers]
        if found and None not in wanted and found != wanted:
            yield Flaw(
                subject=f"tls/{bundle.name}.crt",
                message=f"it must hold exactly {', '.join(bundle.signers)}, in this order, as they are on disk",
                fix=REBUILD,
            )


def key_pairs(artifacts: Artifacts) -> Iterator[Flaw]:
    publics: dict[str, bytes] = {}
    for pair in keys.TABLE:
        private = public_bytes_of_key(artifacts, f"tls/{pair.name}.key")
        text = artifacts.read(f"tls/{pair.name}.pub")
        if private is None or pair.ssh or not text:
            continue
        publics[pair.name] = private
        if public_key(text) != private:
            yield Flaw(subject=f"tls/{pair.name}.pub", message="it is not the public half of its key", fix=REBUILD)
    if len(set(publics.values())) < len(publics):
        yield Flaw(
            subject="tls/service-account.key",
            message="the two service-account keys are the same",
            fix="run `hardway build --rotate key/service-account`",
        )
