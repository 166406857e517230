"""Certificates that the master's API server shows to who asks for localhost, and the signers that were handed over."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.serialization import Encoding, load_pem_private_key

from hardway.drive.wire import Endpoint, shown
from tests.lab.plants.row import MASTER, Plant, Planting
from tests.lab.wholes import Whole
from tests.support.waiting import until

FACE = "/etc/kubernetes/static-pod-resources/secrets/kube-apiserver-localhost-server"
SIGNER = "kube-apiserver-localhost-signer"
HOUR = timedelta(hours=1)
ETCD_SIGNER = ("openshift-etcd", "etcd-signer")


def _signed(lab: Whole, name: str, begin: datetime, end: datetime) -> x509.Certificate:
    """By the signer of this cluster, for the key that the API server has."""
    key = load_pem_private_key(lab.live.asset(f"tls/{SIGNER}.key"), None)
    signer = x509.load_pem_x509_certificate(lab.live.asset(f"tls/{SIGNER}.crt"))
    old = x509.load_pem_x509_certificate(lab.live.asset("tls/kube-apiserver-localhost-server.crt"))
    builder = x509.CertificateBuilder().subject_name(old.subject).issuer_name(signer.subject)
    builder = builder.public_key(old.public_key()).serial_number(x509.random_serial_number())
    builder = builder.not_valid_before(begin).not_valid_after(end)
    builder = builder.add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
    return builder.sign(key, hashes.SHA256())  # type: ignore[arg-type]


def showing(name: str, begin: timedelta, end: timedelta) -> Planting:
    """The API server reads its files again by itself."""

    @contextmanager
    def planted(lab: Whole) -> Iterator[None]:
        now = datetime.now(UTC)
        found = _signed(lab, name, now + begin, now + end)
        right = x509.load_pem_x509_certificate(lab.live.asset("tls/kube-apiserver-localhost-server.crt"))
        try:
            _serve(lab, found)
            yield
        finally:
            _serve(lab, right)

    return planted


def _serve(lab: Whole, certificate: x509.Certificate) -> None:
    lab.prepared.machines.put_files(MASTER, {f"{FACE}.crt": (0o600, certificate.public_bytes(Encoding.PEM))})
    face = Endpoint(host=lab.prepared.cluster.masters[0].address, port=6443, name="localhost")
    until(lambda: shown(face) == certificate.public_bytes(Encoding.DER), lambda: "the API server shows the old one")


@contextmanager
def _another_signer(lab: Whole) -> Iterator[None]:
    """In the place of the one that was handed over."""
    namespace, name = ETCD_SIGNER
    other = lab.live.asset("tls/etcd-metric-signer.crt").decode()
    ours = lab.live.asset("tls/etcd-signer.crt").decode()
    try:
        _patched(lab, namespace, name, other)
        yield
    finally:
        _patched(lab, namespace, name, ours)


def _patched(lab: Whole, namespace: str, name: str, certificate: str) -> None:
    body = json.dumps({"stringData": {"tls.crt": certificate}})
    lab.kubectl("patch", "secret", name, f"--namespace={namespace}", "--type=merge", f"--patch={body}")


TRUST = {
    "a certificate has expired": Plant("F01", showing("localhost", -2 * HOUR, -HOUR)),
    "a certificate is not valid yet": Plant("F02", showing("localhost", HOUR, 48 * HOUR)),
    "a certificate has another name": Plant("F07", showing("elsewhere", -HOUR, 48 * HOUR)),
    "a signer was not handed over": Plant("F30", _another_signer),
}
