"""What takes the time while a milestone is waited for: the first row whose words are in what is missing.

The last row of a milestone has no words: it is the cause of every other wait for it.
"""

from __future__ import annotations

from dataclasses import dataclass

CHECKS = "the load balancer uses a server after two good health checks, which are 2 s apart"
PROBES = "the kubelet's readiness probes, and then its report of the pod to the API"
JOINS = (
    "the node boots; its kubelet requests a client certificate, which is approved and signed, and registers",
    "the kubelet reports Ready after CRI-O has read a CNI configuration",
    "a second round of requests: the kubelet asks for its serving certificate after it has registered",
    "the controller-manager that signs: it ended while no API answered, and starts again after the kubelet's back-off",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    milestone: str
    words: str  # a part of what the milestone reports as missing
    text: str


def _of(milestone: str, *rows: tuple[str, str]) -> tuple[Cause, ...]:
    return tuple(Cause(milestone=milestone, words=words, text=text) for words, text in rows)


def _joining(milestone: str) -> tuple[Cause, ...]:
    registers, ready, serving, signed = JOINS
    rows = (("not signed", signed), ("is not Ready", ready), ("serving certificate", serving), ("", registers))
    return _of(milestone, *rows)


TABLE: tuple[Cause, ...] = (
    *_of("bootstrap-etcd", ("", "the bootstrap node boots: systemd, CRI-O, the kubelet, then etcd's static pod")),
    *_of(
        "bootstrap-api",
        ("through the load balancer", CHECKS),
        ("", "kube-apiserver starts, fills the empty store with its roles, and reports ready"),
    ),
    *_of("manifests", ("", "bootkube.sh creates CRDs and manifests; some wait for types that CVO brings")),
    *_of("version-syncs", ("", "CVO starts, becomes the leader, and reads the release's manifests")),
    *_joining("masters-ready"),
    *_of(
        "etcd-grown",
        ("is next", "etcd takes another member only after all members have been connected for 5 s"),
        ("has not started", "the kubelet starts etcd's static pod for the new member"),
        ("gets its vote", "one command to etcd's leader, and the next look at the members"),
        ("", "the new member starts, and copies the data from the leader"),
    ),
    *_of(
        "apis",
        ("the load balancer", CHECKS),
        ("the pods", PROBES),
        ("", "kube-apiserver starts on a master, once etcd's member there has its vote"),
    ),
    *_of("controllers", ("", f"controller-manager and scheduler start after their node's API server; {PROBES}")),
    *_of("complete", ("", "bootkube.sh looks at the masters and their pods every few seconds, and records the end")),
    *_of("balancer", ("", "one command to the load balancer")),
    *_of(
        "drained",
        ("", "kube-apiserver continues to serve, for 70 s with several masters (--shutdown-delay-duration), and ends"),
    ),
    *_of("etcd-bootstrap-gone", ("", "etcd moves its leadership to a master, and removes the bootstrap member")),
    *_of("bootstrap-off", ("", "systemd stops the units of the bootstrap node")),
    *_of("workers-on", ("", "the workers' machines are started")),
    *_joining("workers-ready"),
    *_of("operators", ("", "operators are deployed on nodes, pull their images, and report at their next round")),
    *_of("version", ("", "CVO goes through all manifests once more, and waits for each ClusterOperator")),
    *_of("settled", ("", "static pods of a new revision start on one master after the other")),
)


def cause(milestone: str, missing: str) -> str:
    """Nothing, for a milestone of another version."""
    return next((row.text for row in TABLE if row.milestone == milestone and row.words in missing), "")
