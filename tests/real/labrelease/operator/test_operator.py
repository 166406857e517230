"""The lab's operator where it makes certificates, with the machine's openssl."""

from __future__ import annotations

from base64 import b64decode

from cryptography import x509
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from hardway.labrelease.operator.__main__ import turn
from hardway.labrelease.operator.serving import SERVICES
from tests.unit.labrelease.operator.test_operator import SERVICE, serving


def test_a_service_gets_its_certificate_once_and_what_is_there_stays(tmp_path):
    where = "/api/v1/namespaces/ns/secrets/cvo-cert"
    objects = {"/api/v1/nodes": {"items": []}, SERVICES: {"items": [SERVICE]}}
    with serving(tmp_path, objects) as (_server, api):
        said = turn(api, [], "v1", certificates=True)
        made = objects[where]
        assert turn(api, [], "v1", certificates=True) == []
        del objects[where]
        assert turn(api, [], "v1", certificates=False) == []
    assert said == ["Secret ns/cvo-cert for the Service cvo"]
    assert where not in objects
    data = {name: b64decode(text) for name, text in made["data"].items()}
    certificate = x509.load_pem_x509_certificate(data["tls.crt"])
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.DNSName) == ["cvo.ns.svc", "cvo.ns.svc.cluster.local"]
    key = load_pem_private_key(data["tls.key"], None)
    assert key.public_key() == certificate.public_key()
    assert (made["type"], made["metadata"]["ownerReferences"][0]["uid"]) == ("kubernetes.io/tls", "u1")
