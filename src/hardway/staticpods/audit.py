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
    address=f"manifest/{AUDIT_POLICY}",
    path=f"bootstrap-configs/{AUDIT_POLICY}",
    why=because(
        "Who did what to which object, and how it ended; never what was in it, so that no Secret reaches the log.",
        readers="kube-apiserver, --audit-policy-file",
        breaks="nobody can say afterwards who did what; an unreadable policy keeps the API server from starting",
        source="CIS Kubernetes Benchmark 1.11, section 3.2; openshift/library-go, audit profile Default",
    ),
    body=policy,
    common=OBJECT,
    reasons={
        "omitStages": because("One line per request, when it is answered.", breaks="twice as many lines"),
        "omitManagedFields": because("No bookkeeping of field owners.", breaks="longer lines that say no more"),
        "rules": because("The first rule that fits decides.", breaks="nothing is logged at all"),
        "rules[].level": because(
            "None: not worth a line. Metadata: who, what, when, from where, and the answer's code."
        ),
        "rules[].nonResourceURLs": because(
            "Questions after its health, several a second.", breaks="they would be most of the log"
        ),
        "rules[].verbs": because(
            "Renewals only: who takes a lease away is worth a line.", breaks="a stolen lease leaves no trace"
        ),
        "rules[].resources": because(
            "Events tell what happened already, and leases are renewed every few seconds.",
            breaks="they would be most of the log",
        ),
    },
)
