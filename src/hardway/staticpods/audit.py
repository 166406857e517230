"""What the API server writes into its audit log."""

from __future__ import annotations

from typing import Any

from hardway.emit.document import OBJECT, Document
from hardway.graph.asset import Given
from hardway.model.why import because
from hardway.staticpods.apiserver.flags import AUDIT_POLICY

HEALTH = ["/healthz*", "/livez*", "/readyz*", "/version"]


def policy(given: Given) -> dict[str, Any]:
    return {
        "apiVersion": "audit.k8s.io/v1",
        "kind": "Policy",
        "omitStages": ["RequestReceived"],
        "omitManagedFields": True,
        "rules": [
            {"level": "None", "nonResourceURLs": HEALTH},
            {"level": "None", "resources": [{"group": "", "resources": ["events"]}]},
            {
                "level": "None",
                "verbs": ["get", "update"],
                "resources": [{"group": "coordination.k8s.io", "resources": ["leases"]}],
            },
            {"level": "Metadata"},
        ],
    }


DOCUMENT = Document(
    path=f"bootstrap-configs/{AUDIT_POLICY}",
    why=because(
        "Who did what to which object, and how it ended; never the content, so that no Secret reaches the log.",
        readers="kube-apiserver, --audit-policy-file",
        breaks="no log says afterwards who did what; an unreadable policy keeps the API server from starting",
        source="CIS Kubernetes Benchmark 1.11, section 3.2; openshift/library-go, audit profile Default",
    ),
    body=policy,
    common=OBJECT,
    reasons={
        "omitStages": because("One line per request, when it is answered.", breaks="twice as many lines"),
        "omitManagedFields": because("No record of field owners.", breaks="longer lines without more information"),
        "rules": because(
            "The first rule that matches decides.", breaks="the API server exits: loaded illegal policy with 0 rules"
        ),
        "rules[].level": because("None: no line. Metadata: who, what, when, from where, and the status code."),
        "rules[].nonResourceURLs": because(
            "Health checks, several a second.", breaks="these requests would fill most of the log"
        ),
        "rules[].verbs": because(
            "get and update, which a change of the holder is too; other requests for leases are logged.",
            breaks="no request for a lease is logged, not even its deletion",
        ),
        "rules[].resources": because(
            "Events are a record themselves, and leases are renewed every few seconds.",
            breaks="these requests would fill most of the log",
        ),
    },
)
