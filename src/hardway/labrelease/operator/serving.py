"""Serving certificates that Services ask for by an annotation: what service-ca does, where it is not there.

Each certificate signs itself: nobody in the lab asks such a Service over TLS, but pods that mount the Secret do not
start without it.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hardway.labrelease.operator.api import Api
from hardway.tools.run import run

ASKED = tuple(f"service.{level}.openshift.io/serving-cert-secret-name" for level in ("beta", "alpha"))
SERVICES, SECRETS = "/api/v1/services", "/api/v1/namespaces/{}/secrets"
DAYS = 730
PEM = re.compile(r"-----BEGIN ([A-Z ]+)-----.+?-----END \1-----\n", re.DOTALL)


@dataclass(frozen=True)
class Wish:
    namespace: str
    service: str
    uid: str
    secret: str


def wishes(services: Iterable[Mapping[str, Any]]) -> Iterator[Wish]:
    for about in (service["metadata"] for service in services):
        said = about.get("annotations") or {}
        secret = next((said[key] for key in ASKED if said.get(key)), "")
        if secret:
            yield Wish(namespace=about["namespace"], service=about["name"], uid=about["uid"], secret=secret)


def fulfil(api: Api) -> list[str]:
    """Make what is missing; what was made is named. A Secret that is there stays, whoever made it."""
    made = []
    for wish in wishes(api.list(SERVICES)):
        folder = SECRETS.format(wish.namespace)
        if api.find(f"{folder}/{wish.secret}") is None:
            api.create(folder, secret(wish))
            made.append(f"Secret {wish.namespace}/{wish.secret} for the Service {wish.service}")
    return made


def secret(wish: Wish) -> dict[str, Any]:
    key, certificate = pair(wish)
    owner = {"apiVersion": "v1", "kind": "Service", "name": wish.service, "uid": wish.uid}
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "type": "kubernetes.io/tls",
        "metadata": {"name": wish.secret, "namespace": wish.namespace, "ownerReferences": [owner]},
        "data": {
            name: b64encode(text.encode()).decode() for name, text in (("tls.key", key), ("tls.crt", certificate))
        },
    }


def pair(wish: Wish) -> tuple[str, str]:
    """A key and its certificate, in PEM. They leave openssl by its output: nothing is written to a disk."""
    name = f"{wish.service}.{wish.namespace}.svc"
    words = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    words += ["-days", str(DAYS), "-subj", "/O=hardway lab", "-addext", "extendedKeyUsage=serverAuth"]
    words += ["-addext", f"subjectAltName=DNS:{name},DNS:{name}.cluster.local"]
    blocks = {block[1]: block[0] for block in PEM.finditer(run([*words, "-keyout", "-", "-out", "-"]))}
    return blocks["PRIVATE KEY"], blocks["CERTIFICATE"]
