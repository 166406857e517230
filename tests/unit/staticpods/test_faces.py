"""Which certificate a client meets, chosen from the flags as kube-apiserver 1.31 does, must fit what it asked for."""

from __future__ import annotations

from ipaddress import ip_address

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from cryptography.x509.oid import ExtensionOID

SECRETS = "/etc/kubernetes/secrets/"


def chosen(flags, name, local):
    """By the name that was asked for; without one by the address the connection came in at; else the default."""
    faces = {}
    for value in reversed(flags["--tls-sni-cert-key"]):  # of two with the same name the earlier one wins
        files, _, names = value.partition(":")
        faces |= dict.fromkeys(names.split(","), files.split(",")[0])
    return faces.get(name or local, flags["--tls-cert-file"][0]).removeprefix(SECRETS).removesuffix(".crt")


def names_of(certificate):
    extension = certificate.extensions.get_extension_for_oid(ExtensionOID.SUBJECT_ALTERNATIVE_NAME).value
    return {*extension.get_values_for_type(x509.DNSName), *map(str, extension.get_values_for_type(x509.IPAddress))}


def is_address(name):
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


WAYS = {
    "a companion on the node": lambda c: ("localhost", "127.0.0.1"),
    "the recovery kubeconfig": lambda c: ("localhost-recovery", "127.0.0.1"),
    "the CVO, by address": lambda c: ("127.0.0.1", "127.0.0.1"),
    "over IPv6 localhost": lambda c: ("::1", "::1"),
    "an administrator": lambda c: (c.api_host, c.bootstrap.address),
    "a kubelet": lambda c: (c.api_int_host, c.bootstrap.address),
    "a pod, by name": lambda c: ("kubernetes.default.svc", c.bootstrap.address),
    "a pod, by the Service's address": lambda c: (c.kubernetes_service_address, c.bootstrap.address),
}


@pytest.mark.parametrize("variant", ["default", "ipv6", "dual-stack", "single"])
@pytest.mark.parametrize("way", WAYS)
def test_the_certificate_fits_what_was_asked_for(tree, flags, way, variant):
    made = tree(variant)
    asked, local = WAYS[way](made.cluster)
    face = chosen(flags("kube-apiserver", variant), "" if is_address(asked) else asked, local)
    certificate = x509.load_pem_x509_certificate(made.content(f"cert/{face}"))
    assert asked in names_of(certificate)


@pytest.mark.parametrize("variant", ["default", "ipv6", "dual-stack"])
def test_every_face_is_shown_with_its_own_key(tree, flags, variant):
    made, found = tree(variant), flags("kube-apiserver", variant)
    pairs = [value.split(":", 1)[0].split(",") for value in found["--tls-sni-cert-key"]]
    pairs.append([*found["--tls-cert-file"], *found["--tls-private-key-file"]])
    for certificate, key in pairs:
        read = x509.load_pem_x509_certificate(made.content(f"cert/{certificate[len(SECRETS) : -4]}"))
        private = load_pem_private_key(made.content(f"key/{key[len(SECRETS) : -4]}"), None)
        assert read.public_key() == private.public_key()
    assert len({certificate for certificate, _ in pairs}) == 4
