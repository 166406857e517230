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
        "Who did what to which object, and how it ended; never the content, so that no Secret reaches the log.",
        readers="kube-apiserver, --audit-policy-file",
        breaks="nobody can find out afterwards who did what; an unreadable policy keeps the API server from starting",
        source="CIS Kubernetes Benchmark 1.11, section 3.2; openshift/library-go, audit profile Default",
    ),
    body=policy,
    common=OBJECT,
    reasons={
        "omitStages": because("One line per request, when it is answered.", breaks="twice as many lines"),
        "omitManagedFields": because("No record of field owners.", breaks="longer lines without more information"),
        "rules": because("The first rule that matches decides.", breaks="nothing is logged at all"),
        "rules[].level": because("None: no line. Metadata: who, what, when, from where, and the status code."),
        "rules[].nonResourceURLs": because("Health checks, several a second.", breaks="they would be most of the log"),
        "rules[].verbs": because(
            "Renewals only: a change of the holder is logged.", breaks="a stolen lease leaves no trace"
        ),
        "rules[].resources": because(
            "Events are a record themselves, and leases are renewed every few seconds.",
            breaks="they would be most of the log",
        ),
    },
)
