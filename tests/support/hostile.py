"""Certificate requests that are not the plan's, each wrong in one way, and the rule that refuses it."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID

from hardway.model.cluster import Cluster
from tests.support.requests import BOOTSTRAPPER, NODE_GROUPS, client_request, pem, serving_request

Kinds = dict[str, tuple[dict[str, Any], str]]


def ca(constraint: bool = True) -> x509.BasicConstraints:
    return x509.BasicConstraints(ca=constraint, path_length=None)


def hostile(cluster: Cluster) -> Kinds:
    """By name: the request as the API shows it, and the rule."""
    master, other, worker = cluster.masters[0], cluster.masters[1], cluster.workers[0]
    user = f"system:node:{master.name}"

    def serving_pem(*names: str, **more: Any) -> bytes:
        return pem(user, names=names, **more)

    return {
        "stranger asks": (client_request(master, username="system:serviceaccount:default:default"), "requester"),
        "anonymous asks": (client_request(master, username="system:anonymous", groups=[]), "requester"),
        "bootstrapper of another namespace": (
            client_request(master, username="system:serviceaccount:default:node-bootstrapper"),
            "requester",
        ),
        "bootstrapper with masters' group": (
            client_request(master, groups=["system:masters", "system:authenticated"]),
            "requester",
        ),
        "another node asks": (
            client_request(master, username=f"system:node:{other.name}", groups=NODE_GROUPS),
            "requester",
        ),
        "bootstrapper asks for serving": (serving_request(master, username=BOOTSTRAPPER), "requester"),
        "another node asks for serving": (serving_request(master, username=f"system:node:{other.name}"), "requester"),
        "node with an administrator's groups": (
            serving_request(master, groups=[*NODE_GROUPS, "system:masters"]),
            "requester",
        ),
        "unknown node": (client_request(master, pem_of=pem("system:node:stranger")), "node"),
        "the bootstrap machine": (client_request(master, pem_of=pem("system:node:bootstrap")), "node"),
        "an administrator's name": (client_request(master, pem_of=pem("system:admin")), "node"),
        "no common name": (client_request(master, pem_of=pem(None)), "node"),
        "a name that only begins like it": (client_request(master, pem_of=pem(f"{user}.evil")), "node"),
        "group of masters": (client_request(master, pem_of=pem(user, organizations=("system:masters",))), "subject"),
        "one group more": (
            client_request(master, pem_of=pem(user, organizations=("system:nodes", "system:masters"))),
            "subject",
        ),
        "no group": (client_request(master, pem_of=pem(user, organizations=())), "subject"),
        "a unit in the subject": (client_request(master, pem_of=pem(user, unit="openshift")), "subject"),
        "client with a name": (client_request(master, pem_of=pem(user, names=(master.name,))), "names"),
        "a name more": (
            serving_request(master, pem_of=serving_pem(master.name, cluster.api_host, master.address)),
            "names",
        ),
        "a wildcard": (serving_request(master, pem_of=serving_pem("*", master.address)), "names"),
        "another node's name": (serving_request(master, pem_of=serving_pem(other.name, master.address)), "names"),
        "another node's address": (serving_request(master, pem_of=serving_pem(master.name, other.address)), "names"),
        "an address more": (
            serving_request(master, pem_of=serving_pem(master.name, master.address, cluster.api_vips[0])),
            "names",
        ),
        "no address": (serving_request(master, pem_of=serving_pem(master.name)), "names"),
        "a mail address": (
            serving_request(
                master,
                pem_of=serving_pem(master.name, master.address, more_names=(x509.RFC822Name("a@example.com"),)),
            ),
            "names",
        ),
        "a URI": (
            serving_request(
                master,
                pem_of=serving_pem(
                    master.name, master.address, more_names=(x509.UniformResourceIdentifier("spiffe://a"),)
                ),
            ),
            "names",
        ),
        "a signer": (client_request(master, pem_of=pem(user, extensions=(ca(),))), "extensions"),
        "constraints at all": (client_request(master, pem_of=pem(user, extensions=(ca(False),))), "extensions"),
        "uses inside": (
            client_request(
                master, pem_of=pem(user, extensions=(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]),))
            ),
            "extensions",
        ),
        "server use for a client": (
            client_request(master, usages=["digital signature", "client auth", "server auth"]),
            "usages",
        ),
        "client use for a server": (serving_request(master, usages=["digital signature", "client auth"]), "usages"),
        "signing use": (client_request(master, usages=["digital signature", "client auth", "cert sign"]), "usages"),
        "no use": (client_request(master, usages=[]), "usages"),
        "ten years": (client_request(master, expirationSeconds=315360000), "lifetime"),
        "worker before its time": (client_request(worker), "time"),
        "serving worker before its time": (serving_request(worker), "time"),
        "another signer": (client_request(master, signerName="kubernetes.io/kube-apiserver-client"), "signer"),
        "a signer of old": (client_request(master, signerName="kubernetes.io/legacy-unknown"), "signer"),
        "no PEM": (client_request(master, request=b64encode(b"hello").decode()), "request"),
        "no base64": (client_request(master, request="%%%"), "request"),
        "two requests in one": (client_request(master, pem_of=pem(user) + pem("system:node:evil")), "request"),
        "words around the PEM": (client_request(master, pem_of=b"hello\n" + pem(user)), "request"),
        "a short key": (client_request(master, key=rsa.generate_private_key(65537, 1024)), "request"),
        "a strange curve": (client_request(master, key=ec.generate_private_key(ec.SECP256K1())), "request"),
    }
