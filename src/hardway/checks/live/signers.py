"""The signers and bundles that were handed over, in the cluster and on disk: has an operator put another in its place?

An operator takes over a signer whose annotations say how long it is valid. One that lacks them is for the operator as
good as missing: it mints its own, and whoever trusts ours is shut out. In the end the Secret has fresh annotations, so
the cause is read from three places: the object, what the operator reported as an event, and the manifest on disk.
"""

from __future__ import annotations

import ssl
from base64 import b64decode
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from hashlib import sha256
from typing import Any, TypeVar

from hardway.checks.live.given import Given
from hardway.drive.client import Object, Trouble, path
from hardway.drive.live import ETCD_BY_OPERATOR, read_asset
from hardway.manifests import handover, signers
from hardway.manifests.etcd import names as etcd
from hardway.model import yaml
from hardway.model.check import Flaw

SECRETS, MAPS, EVENTS = "/api/v1/secrets", "/api/v1/configmaps", "/api/v1/events"
REPLACED = "SignerUpdateRequired"
NEEDED = (handover.NOT_BEFORE, handover.NOT_AFTER)
# By how library-go says what it misses; the last is what it makes of a Secret without the first date.
ANNOTATIONS = {
    "missing notAfter": handover.NOT_AFTER,
    "missing notBefore": handover.NOT_BEFORE,
    'bad expiry: ""': handover.NOT_BEFORE,
}
BEGIN, END = "-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----"
SHOWN = 16  # characters of a fingerprint


@dataclass(frozen=True, slots=True, kw_only=True)
class Signer:
    namespace: str
    name: str
    file: str  # below the assets: with its certificate
    operator: str  # the namespace of who would replace it

    def __str__(self) -> str:
        return f"Secret {self.namespace}/{self.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    namespace: str
    name: str
    key: str
    file: str

    def __str__(self) -> str:
        return f"ConfigMap {self.namespace}/{self.name}"


Row = TypeVar("Row", Signer, Bundle)


@dataclass(frozen=True)
class Certificate:
    """One block of a PEM text."""

    pem: str

    @cached_property
    def fingerprint(self) -> str:
        return sha256(ssl.PEM_cert_to_DER_cert(self.pem)).hexdigest()[:SHOWN]

    def has_aged(self, now: datetime) -> bool:
        """Past the middle of its life, an operator may have renewed it in its turn."""
        from cryptography.x509 import load_pem_x509_certificate

        read = load_pem_x509_certificate(self.pem.encode())
        life: timedelta = read.not_valid_after_utc - read.not_valid_before_utc
        return now > read.not_valid_before_utc + life / 2


SIGNERS: tuple[Signer, ...] = (
    *(
        Signer(
            namespace=f"openshift-{row.operator}-operator",
            name=row.name,
            file=f"tls/{row.certificate}.crt",
            operator=f"openshift-{row.operator}-operator",
        )
        for row in signers.SIGNERS
    ),
    *(
        Signer(namespace=etcd.NAMESPACE, name=name, file=f"tls/{name}.crt", operator="openshift-etcd-operator")
        for name in etcd.SIGNERS
    ),
)
BUNDLES: tuple[Bundle, ...] = (
    *(
        Bundle(namespace=r.namespace, name=r.name, key="ca-bundle.crt", file=f"tls/{r.bundle}.crt")
        for r in signers.TRUSTED
    ),
    *(Bundle(namespace=etcd.NAMESPACE, name=n, key="ca-bundle.crt", file=f"tls/{n}.crt") for n in etcd.BUNDLES),
    Bundle(
        namespace=etcd.NAMESPACE, name="etcd-all-bundles", key="server-ca-bundle.crt", file="tls/etcd-ca-bundle.crt"
    ),
)
BY_OPERATOR = {
    f"tls/{name}.crt": f"{ETCD_BY_OPERATOR}/etcd-ca-bundle.crt" for name in ("etcd-signer", "etcd-ca-bundle")
}
"""On the rendered road the etcd operator made etcd's signers. The bootstrap node gave away the one that members have;
the one of the metrics is not on this machine."""


def survived(given: Given) -> Iterator[Flaw]:
    rendered = given.live.cluster.road == "rendered"
    for signer in _by_operator(SIGNERS) if rendered else SIGNERS:
        yield from _signer(given, signer)
    for bundle in _by_operator(BUNDLES) if rendered else BUNDLES:
        yield from _bundle(given, bundle)


def _by_operator(rows: Iterable[Row]) -> Iterator[Row]:
    """The same rows for a cluster whose etcd operator made etcd's signers."""
    for row in rows:
        if row.namespace != etcd.NAMESPACE:
            yield row
        elif row.file in BY_OPERATOR:
            yield replace(row, file=BY_OPERATOR[row.file])


def _signer(given: Given, row: Signer) -> Iterator[Flaw]:
    [ours, *_] = _certificates(read_asset(given.live.assets, row.file).decode())
    found = given.live.api.get(path(SECRETS, row.name, namespace=row.namespace))
    if isinstance(found, Trouble):
        yield Flaw(subject=str(row), message=found.message)
        return
    theirs = _certificates(_text(found, "tls.crt"))
    if [c.fingerprint for c in theirs[:1]] == [ours.fingerprint] or ours.has_aged(given.now):
        return
    now = theirs[0].fingerprint if theirs else "nothing"
    message = f"was replaced: {row.file} is {ours.fingerprint}, the cluster has {now}. {_cause(given, row, found)}"
    yield Flaw(subject=str(row), message=message)


def _cause(given: Given, row: Signer, found: Object) -> str:
    missing = [name for name in NEEDED if name not in (found["metadata"].get("annotations") or {})]
    if missing:
        return f"It has no {' and no '.join(missing)}: its operator treats it as missing and creates its own"
    events = given.live.api.items(path(EVENTS, namespace=row.operator))
    for event in () if isinstance(events, Trouble) else reversed(events):
        said = str(event.get("message", ""))
        if event.get("reason") == REPLACED and said.startswith(f'"{row.name}"'):
            return f"The operator reported: {said}{_in_annotations(said)}"
    if lacked := _not_handed_over(given, row):
        return f"Its manifest was applied without {' and '.join(lacked)}: its operator treats it as missing"
    return f"The reason is no longer recorded: look for {REPLACED} in the log of the operator in {row.operator}"


def _not_handed_over(given: Given, row: Signer) -> list[str]:
    """By the manifest on disk."""
    for file in sorted((given.live.assets / "manifests").glob("*.yaml")):
        document = yaml.load(read_asset(given.live.assets, f"manifests/{file.name}"))
        about = document.get("metadata") or {}
        if (document.get("kind"), about.get("namespace"), about.get("name")) == ("Secret", row.namespace, row.name):
            return [name for name in NEEDED if name not in (about.get("annotations") or {})]
    return []


def _in_annotations(said: str) -> str:
    lacked = [name for words, name in ANNOTATIONS.items() if said.endswith(words)]
    return "".join(f"; that is the annotation {name}, which was not handed over" for name in lacked)


def _bundle(given: Given, row: Bundle) -> Iterator[Flaw]:
    """Operators may add to a bundle; what was handed over must still be in it."""
    ours = _certificates(read_asset(given.live.assets, row.file).decode())
    found = given.live.api.get(path(MAPS, row.name, namespace=row.namespace))
    if isinstance(found, Trouble):
        yield Flaw(subject=str(row), message=found.message)
        return
    there = {c.fingerprint for c in _certificates(str((found.get("data") or {}).get(row.key, "")))}
    for certificate in ours:
        if certificate.fingerprint not in there and not certificate.has_aged(given.now):
            has = ", ".join(sorted(there)) or "nothing"
            yield Flaw(
                subject=str(row), message=f"no longer trusts {certificate.fingerprint} of {row.file}; it has {has}"
            )


def _certificates(text: str) -> list[Certificate]:
    blocks = (part.partition(END)[0] for part in text.split(BEGIN)[1:])
    return [Certificate(f"{BEGIN}{block}{END}\n") for block in blocks]


def _text(secret: Object, key: str) -> str:
    data: Any = (secret.get("data") or {}).get(key, "")
    return b64decode(data).decode(errors="replace")
