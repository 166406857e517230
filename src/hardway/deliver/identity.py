"""How the server proves itself: a certificate for this run, signed by the cluster's root-ca, whose key stays in memory.

root-ca is what a machine believes when it fetches its Ignition from the machine-config server, so it is the right one
here. Being signed, the certificate can be new in every run while what the machines were given to trust stays good.
"""

from __future__ import annotations

import ssl
from dataclasses import dataclass, field
from hashlib import sha256

from hardway.graph.store import Store
from hardway.io.memory import in_memory
from hardway.model.cluster import is_address
from hardway.model.entropy import Entropy
from hardway.model.errors import ConfigError
from hardway.pki.issue import issue
from hardway.pki.private import private_pem
from hardway.pki.spec import Spec

AUTHORITY = "tls/root-ca.crt"
AUTHORITY_KEY = "tls/root-ca.key"
HOURS = 24
SERIAL_BYTES = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    certificate: bytes
    key: bytes = field(repr=False)
    authority: bytes

    @property
    def fingerprint(self) -> str:
        return fingerprint(self.certificate)

    @property
    def authority_fingerprint(self) -> str:
        return fingerprint(self.authority)


def fingerprint(pem: bytes) -> str:
    """As `openssl x509 -fingerprint -sha256` prints it."""
    digest = sha256(ssl.PEM_cert_to_DER_cert(pem.decode())).hexdigest().upper()
    return ":".join(digest[i : i + 2] for i in range(0, len(digest), 2))


def authority(store: Store) -> tuple[bytes, bytes]:
    """The certificate of root-ca, and its key."""
    certificate, key = store.read(AUTHORITY), store.read(AUTHORITY_KEY)
    if not certificate or not key:
        raise ConfigError(f"{store.root / AUTHORITY} or its key is missing.\n    fix: run `hardway build 05`")
    return certificate, key


def make(store: Store, host: str, entropy: Entropy) -> Identity:
    """For the address or name in the URL that the machines are given."""
    root, signer = authority(store)
    spec = Spec(
        common_name="ignition-delivery",
        unit="hardway",
        hours=HOURS,
        usages=("server",),
        dns_names=() if is_address(host) else (host,),
        addresses=(host,) if is_address(host) else (),
    )
    key = private_pem(entropy.key("deliver", "ecdsa-p256"))
    serial = int.from_bytes(entropy.random("deliver/serial", SERIAL_BYTES)) >> 1 or 1
    certificate = issue(spec, key=key, signer_key=signer, signer_cert=root, now=entropy.now(), serial=serial)
    return Identity(certificate=certificate, key=key, authority=root)


def context(identity: Identity) -> ssl.SSLContext:
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.minimum_version = ssl.TLSVersion.TLSv1_3
    tls.num_tickets = 0  # nobody comes back to resume a session
    with in_memory(identity.certificate) as certificate, in_memory(identity.key) as key:
        tls.load_cert_chain(certificate, key)
    return tls
