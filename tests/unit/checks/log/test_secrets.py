"""A line of a log is evidence; a credential in it is not shown."""

from __future__ import annotations

from io import BytesIO

import pytest

from hardway.checks.log.scan import scan
from hardway.checks.log.secrets import without_secrets
from hardway.checks.log.table import ROWS, TABLE
from hardway.model.check import run

EXPIRED = "x509: certificate has expired or is not yet valid"
JWT = "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJrdWJl.c2lnbmF0dXJl"


@pytest.mark.parametrize(
    "secret",
    [
        "Authorization: Bearer s3cr3t-abc",
        "authorization: Basic s3cr3t==",
        'Authorization:[Bearer s3cr3t"]',
        "GET /x?token=s3cr3t&a=1",
        '{"token":"s3cr3t"}',
        '{\\"token\\": \\"s3cr3t\\"}',
        "client_secret=s3cr3t",
        'user: "kubeadmin", and password: "s3cr3t"',
        "--password s3cr3t",
        "https://me:s3cr3t@registry.example.com/v2/",
        "https://me:p@s3cr3t@registry.example.com/v2/",
        f"token {JWT} s3cr".replace("c2lnbmF0dXJl s3cr", "s3cr3t"),
        "sha256~s3cr3t",
    ],
)
def test_a_credential_is_hidden_and_the_words_stay(secret):
    [found] = run(TABLE, scan(BytesIO(f"{secret} {EXPIRED}".encode()), "log", ROWS)).findings
    assert EXPIRED in found.message
    assert "(hidden)" in found.message
    assert "s3cr" not in found.message


@pytest.mark.parametrize(
    "line",
    [
        "error validating token: expired",
        'secret "pull-secret" not found',
        "https://api-int.ocp4.example.com:6443/api/v1/nodes?limit=500",
        "image quay.io/a/b@sha256:0123",
    ],
)
def test_what_is_no_credential_is_shown(line):
    assert without_secrets(line) == line


def test_a_line_that_was_made_to_keep_the_reader_busy_is_read_at_once():
    """Words within words: each began a search to the end of the line, for minutes with this much."""
    line = "passwordé" * 100_000
    assert without_secrets(line) == line
