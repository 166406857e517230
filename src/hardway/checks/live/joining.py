"""Whether a machine that is added later could request its first certificate."""

from __future__ import annotations

from collections.abc import Iterator

from hardway.checks.files.shapes import at
from hardway.checks.live.given import Given
from hardway.drive.client import Trouble
from hardway.model.check import Flaw

IDENTITY = "tls/kubelet-client.crt"
REVIEWS = "/apis/authorization.k8s.io/v1/subjectaccessreviews"
REQUEST = {"group": "certificates.k8s.io", "resource": "certificatesigningrequests", "verb": "create"}


def allowed(given: Given) -> Iterator[Flaw]:
    """The API server is asked what the identity may do; nothing is stored."""
    from cryptography.x509 import load_pem_x509_certificate

    from hardway.pki.subject import subject_of

    who = subject_of(load_pem_x509_certificate(given.live.asset(IDENTITY)))
    spec = {"user": who.common_name, "groups": sorted(who.organizations), "resourceAttributes": REQUEST}
    body = {"apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview", "spec": spec}
    said = given.live.api.create(REVIEWS, body)
    if isinstance(said, Trouble):
        yield Flaw(subject="the API", message=said.message)
    elif at(dict(said), "status", "allowed") is not True:
        message = 'cannot create resource "certificatesigningrequests": no role binding allows it'
        yield Flaw(subject=who.common_name, message=message)
