"""Certificate requests as kubelets make them, and as they should not be made."""

from __future__ import annotations

from base64 import b64encode
from ipaddress import ip_address
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID

from hardway.model.cluster import Node

CLIENT = "kubernetes.io/kube-apiserver-client-kubelet"
SERVING = "kubernetes.io/kubelet-serving"
BOOTSTRAPPER = "system:serviceaccount:openshift-machine-config-operator:node-bootstrapper"
BOOTSTRAPPER_GROUPS = [
    "system:serviceaccounts:openshift-machine-config-operator",
    "system:serviceaccounts",
    "system:authenticated",
]
NODE_GROUPS = ["system:nodes", "system:authenticated"]


def new_key() -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(ec.SECP256R1())


def pem(
    common_name: str | None,
    *,
    organizations: tuple[str, ...] = ("system:nodes",),
    names: tuple[str, ...] = (),
    more_names: tuple[x509.GeneralName, ...] = (),
    extensions: tuple[x509.ExtensionType, ...] = (),
    key: Any = None,
    unit: str = "",
) -> bytes:
    subject = [x509.NameAttribute(NameOID.ORGANIZATION_NAME, o) for o in organizations]
    subject += [x509.NameAttribute(NameOID.ORGANIZATIONAL_UNIT_NAME, unit)] if unit else []
    subject += [x509.NameAttribute(NameOID.COMMON_NAME, common_name)] if common_name else []
    builder = x509.CertificateSigningRequestBuilder().subject_name(x509.Name(subject))
    alternative = [*(_general(name) for name in names), *more_names]
    if alternative:
        builder = builder.add_extension(x509.SubjectAlternativeName(alternative), critical=False)
    for extension in extensions:
        builder = builder.add_extension(extension, critical=True)
    return builder.sign(key or new_key(), SHA256()).public_bytes(Encoding.PEM)


def _general(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def spec(request: bytes, signer: str, **more: Any) -> dict[str, Any]:
    """What a kubelet sends: the API server adds who it was."""
    use = "server auth" if signer == SERVING else "client auth"
    return {"request": b64encode(request).decode(), "signerName": signer, "usages": ["digital signature", use], **more}


def client_request(
    node: Node, name: str = "csr-a", *, key: Any = None, pem_of: Any = None, **more: Any
) -> dict[str, Any]:
    """A node's first request, as the API shows it."""
    sent = spec(pem_of or pem(f"system:node:{node.name}", key=key), CLIENT)
    return _item(name, {**sent, "username": BOOTSTRAPPER, "groups": BOOTSTRAPPER_GROUPS, **more})


def serving_request(
    node: Node, name: str = "csr-b", *, key: Any = None, pem_of: Any = None, **more: Any
) -> dict[str, Any]:
    user = f"system:node:{node.name}"
    sent = spec(pem_of or pem(user, names=(node.name, *node.addresses), key=key), SERVING)
    return _item(name, {**sent, "username": user, "groups": NODE_GROUPS, **more})


def _item(name: str, content: dict[str, Any]) -> dict[str, Any]:
    return {
        "apiVersion": "certificates.k8s.io/v1",
        "kind": "CertificateSigningRequest",
        "metadata": {"name": name, "uid": f"uid-{name}"},
        "spec": content,
    }
