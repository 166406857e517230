"""Rows of the table as documents."""

from __future__ import annotations

from base64 import b64encode
from functools import partial
from typing import Any

from hardway.emit.document import Document
from hardway.graph.asset import Given
from hardway.kubeconfigs.table import Kubeconfig, rows
from hardway.model.cluster import Cluster
from hardway.model.why import because

REASONS = {
    "clusters[].name": because("Joins the context to the cluster: the cluster's own name, as the installer writes it."),
    "clusters[].cluster.certificate-authority-data": because(
        "The signers this client trusts; embedded, so that the file works on any machine.",
        breaks="the client refuses the API server: x509: certificate signed by unknown authority",
    ),
    "clusters[].cluster.server": because(
        "The API server's URL: localhost, api-int behind the load balancer, or api from outside.",
        breaks="the client reaches nothing, or a server whose certificate does not match the name (F07)",
    ),
    "contexts[].name": because("The name that current-context points to."),
    "contexts[].context.cluster": because("Which of the clusters above."),
    "contexts[].context.user": because("Which of the users below."),
    "current-context": because(
        "The context that clients use by default.", breaks="clients fall back to localhost:8080"
    ),
    "preferences": because("Go writes the empty struct; readers ignore it."),
    "users[].name": because("Joins the context to the identity."),
    "users[].user.client-certificate-data": because(
        "The client's identity: name and groups are in the certificate's subject.",
        breaks="the client is anonymous: 401 or 403",
    ),
    "users[].user.client-key-data": because(
        "Proves that the certificate is the client's own. Anyone who can read this file can act as that user.",
        breaks="the client cannot authenticate",
    ),
}
SERVER_NAME = {
    "clusters[].cluster.tls-server-name": because(
        "The name to request by SNI and to verify, instead of the host in the URL.",
        breaks="the API server answers with its ordinary certificate, which may have expired",
    ),
}


def documents(cluster: Cluster) -> tuple[Document, ...]:
    return tuple(
        Document(
            address=f"kubeconfig/{row.name}",
            path=row.path,
            why=row.why,
            body=partial(body, row),
            common=(),
            reasons=REASONS | SERVER_NAME if row.tls_server_name else REASONS,
            needs=(f"cert/{row.identity}", f"key/{row.identity}", f"bundle/{row.trust}"),
        )
        for row in rows(cluster)
    )


def body(row: Kubeconfig, given: Given) -> dict[str, Any]:
    def embedded(address: str) -> str:
        return b64encode(given[address]).decode()

    cluster: dict[str, Any] = {"certificate-authority-data": embedded(f"bundle/{row.trust}")}
    cluster["server"] = row.server(given.cluster)
    if row.tls_server_name:
        cluster["tls-server-name"] = row.tls_server_name
    user = {
        "client-certificate-data": embedded(f"cert/{row.identity}"),
        "client-key-data": embedded(f"key/{row.identity}"),
    }
    name = given.cluster.name
    return {
        "clusters": [{"name": name, "cluster": cluster}],
        "contexts": [{"name": row.user, "context": {"cluster": name, "user": row.user}}],
        "current-context": row.user,
        "preferences": {},
        "users": [{"name": row.user, "user": user}],
    }
