"""The small reader of deadlines agrees with the X.509 library on every certificate."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.serialization import Encoding

from hardway.pki.deadline import deadline
from tests.support.entropy import FixedEntropy
from tests.support.trees import built


@pytest.mark.parametrize("variant", ["default", "single"])
def test_it_agrees_on_every_certificate(variant):
    files = sorted(built(variant).store.root.glob("tls/*.crt"))
    assert len(files) > 30
    for path in files:
        expected = x509.load_pem_x509_certificates(path.read_bytes())[0].not_valid_after_utc
        assert deadline(path.read_bytes()) == expected


@pytest.mark.parametrize("year", [1999, 2049, 2050, 2100, 9999])
def test_it_knows_both_ways_to_write_a_time(year):
    end = datetime(year, 12, 31, 23, 59, 59, tzinfo=UTC)
    key = FixedEntropy().key("deadline", "ecdsa-p256")
    cert = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([]))
        .issuer_name(x509.Name([]))
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(end - timedelta(days=1))
        .not_valid_after(end)
        .sign(key, hashes.SHA256())
    )
    assert deadline(cert.public_bytes(Encoding.PEM)) == end
