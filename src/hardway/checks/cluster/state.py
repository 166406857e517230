"""What nodes, requests, operators and pods say of themselves. Time decides what is normal and what is not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from hardway.checks.cluster.objects import Object, Objects, conditions, label, words
from hardway.checks.files.shapes import at, mapping, mappings, text
from hardway.checks.log.scan import classify
from hardway.checks.log.secrets import without_secrets
from hardway.checks.log.table import ROWS
from hardway.io.harmless import one_line
from hardway.model.check import Flaw, Severity

LONGEST = 300  # characters of a cluster's own words
PENDING, UNREADY, PULLING = 10, 10, 10
INSTALLING, LATER = 60, 10
"""Minutes in which an operator may be unavailable: while the cluster is installed, and after that."""
RESTARTS = 5
CLIENT, SERVING = "kubernetes.io/kube-apiserver-client-kubelet", "kubernetes.io/kubelet-serving"
MODES = {CLIENT: "F27", SERVING: "F28"}
NAMELESS = ("localhost", "localhost.localdomain", "fedora")
"""What a machine calls itself if nothing gave it a name."""
OPERATORS = {
    "authentication": "F33",
    "console": "F33",
    "etcd": "F30",
    "ingress": "F54",
    "machine-config": "F22",
    "network": "F32",
    "openshift-apiserver": "F10",
}
"""The failure mode that an operator which is not available mostly stands for."""
NO_NETWORK = "NetworkPluginNotReady"
UNDISCOVERED = "FailedDiscoveryCheck"  # the extension API server was reached, and does not tell what it serves


def _shown(said: str) -> str:
    line = without_secrets(one_line(said[: 10 * LONGEST].strip()))
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}…"


def _severity(minutes: float, normal: int) -> Severity:
    return "error" if minutes > normal else "warning"


def _lasting(minutes: float, normal: int) -> str:
    return f"for {minutes:.0f} min; normal for {normal} min" if minutes <= normal else f"for {minutes:.0f} min"


def _recognized(said: str) -> str:
    """The failure mode whose words these are, if one alone has them."""
    row = classify(said.encode(), ROWS)
    return row.modes[0] if row and len(row.modes) == 1 and not row.minutes else ""


def answers(seen: Objects) -> Iterator[Flaw]:
    if seen.silent:
        yield Flaw(subject="the API", message=_shown(seen.silent), failure=_recognized(seen.silent))


def machines(seen: Objects) -> Iterator[Flaw]:
    for name, failure in (seen.off or {}).items():
        yield Flaw(subject=name, message="is off, and the cluster needs it", failure=failure)


def requests(seen: Objects) -> Iterator[Flaw]:
    joined = {label(node) for node in seen["Node"]}
    for item in seen["CertificateSigningRequest"]:
        signer = text(dict(item), "spec", "signerName")
        if signer not in MODES or mappings(dict(item), "status", "conditions"):
            continue
        flaw = _request(seen, item, joined)
        if flaw:
            yield flaw


def _request(seen: Objects, item: Object, joined: set[str]) -> Flaw | None:
    name, signer = label(item), text(dict(item), "spec", "signerName")
    minutes = seen.minutes(at(dict(item), "metadata", "creationTimestamp"))
    verdict = (seen.verdicts or {}).get(name)
    what = "client" if signer == CLIENT else "serving"
    by = one_line(text(dict(item), "spec", "username"))
    if verdict is not None and not verdict.good:
        if verdict.node in joined and signer == CLIENT:
            return None  # it asked again, and has joined
        return Flaw(
            subject=f"request {name}",
            message=f"a {what} certificate, by {by}: is Pending, and is not the plan's: {_shown(verdict.reason)}",
            failure="F15" if _nameless(f"{by} {verdict.reason}") else MODES[signer],
            fix="compare the plan with the machine; remove a request that is not yours: `oc delete csr NAME`",
        )
    return Flaw(
        subject=f"request {name}",
        message=f"a {what} certificate, by {by}: is Pending {_lasting(minutes, PENDING)}",
        failure=MODES[signer],
        severity=_severity(minutes, PENDING),
        fix="approve requests that agree with the plan with `hardway approve`, or read the request and run "
        "`oc adm certificate approve NAME`",
    )


def _nameless(said: str) -> bool:
    return any(name in NAMELESS for name in re.findall(r"system:node:([A-Za-z0-9.-]+)", said))


def nodes(seen: Objects) -> Iterator[Flaw]:
    for item in seen["Node"]:
        ready = conditions(item).get("Ready", {})
        if text(ready, "status") == "True":
            continue
        minutes = seen.minutes(ready.get("lastTransitionTime"))
        said = _shown(words(ready))
        yield Flaw(
            subject=f"node {label(item)}",
            message=f"is not Ready {_lasting(minutes, UNREADY)}: {said or 'it has not reported yet'}",
            failure=_recognized(said) or ("F32" if NO_NETWORK in said else ""),
            severity=_severity(minutes, UNREADY),
        )


def operators(seen: Objects) -> Iterator[Flaw]:
    normal = LATER if seen.completed else INSTALLING
    for item in seen["ClusterOperator"]:
        found, name = conditions(item), label(item)
        for kind, bad in (("Available", "False"), ("Degraded", "True")):
            condition = found.get(kind, {})
            if text(condition, "status") != bad:
                continue
            minutes, said = seen.minutes(condition.get("lastTransitionTime")), _shown(words(condition))
            what = "is not available" if kind == "Available" else "is degraded"
            yield Flaw(
                subject=f"clusteroperator {name}",
                message=f"{what} {_lasting(minutes, normal)}: {said}",
                failure=_recognized(said) or OPERATORS.get(name, ""),
                severity=_severity(minutes, normal),
                fix=f"read what it says: `oc describe clusteroperator {name}`",
            )
            break


def version(seen: Objects) -> Iterator[Flaw]:
    normal = LATER if seen.completed else INSTALLING
    for item in seen["ClusterVersion"]:
        failing = conditions(item).get("Failing", {})
        if text(failing, "status") == "True":
            minutes, said = seen.minutes(failing.get("lastTransitionTime")), _shown(words(failing))
            yield Flaw(
                subject="clusterversion",
                message=f"CVO reports a failure {_lasting(minutes, normal)}: {said}",
                failure=_recognized(said),
                severity=_severity(minutes, normal),
            )


def features(seen: Objects) -> Iterator[Flaw]:
    """Operators wait for the gates of their own version. In an update they are written some minutes after it began."""
    for version in seen["ClusterVersion"]:
        status = mapping(dict(version), "status")
        wanted, history = text(status, "desired", "version"), mappings(status, "history")
        minutes = seen.minutes(history[0].get("startedTime")) if history else 0.0
        for item in seen["FeatureGate"] if wanted else ():
            found = [text(row, "version") for row in mappings(dict(item), "status", "featureGates")]
            if wanted not in found:
                has = f"it has {', '.join(found)}" if found else "it has none"
                yield Flaw(
                    subject=f"featuregate {label(item)}",
                    message=f"missing desired version {wanted} in its status, {_lasting(minutes, LATER)}: {has}",
                    severity=_severity(minutes, LATER),
                )


def extensions(seen: Objects) -> Iterator[Flaw]:
    normal = LATER if seen.completed else INSTALLING
    for item in seen["APIService"]:
        available = conditions(item).get("Available", {})
        if text(available, "status") != "False":
            continue
        minutes, said = seen.minutes(available.get("lastTransitionTime")), _shown(words(available))
        yield Flaw(
            subject=f"apiservice {label(item)}",
            message=f"is not available {_lasting(minutes, normal)}: {said}",
            failure=_recognized(said) or ("F10" if text(available, "reason") == UNDISCOVERED else ""),
            severity=_severity(minutes, normal),
        )


def pods(seen: Objects) -> Iterator[Flaw]:
    for item in seen["Pod"]:
        if at(dict(item), "metadata", "deletionTimestamp"):
            continue
        minutes = seen.minutes(at(dict(item), "metadata", "creationTimestamp"))
        yield from _unplaced(seen, item)
        for kind in ("initContainerStatuses", "containerStatuses"):
            for container in mappings(dict(item), "status", kind):
                if flaw := _container(seen, item, container, minutes):
                    yield flaw


def _unplaced(seen: Objects, item: Object) -> Iterator[Flaw]:
    placed = conditions(item).get("PodScheduled", {})
    if text(placed, "status") != "False":
        return
    minutes = seen.minutes(placed.get("lastTransitionTime"))
    normal = LATER if seen.completed else INSTALLING
    yield Flaw(
        subject=f"pod {label(item)}",
        message=f"has no node {_lasting(minutes, normal)}: {_shown(words(placed))}",
        failure="F54" if label(item).startswith("openshift-ingress/router") else "",
        severity=_severity(minutes, normal),
    )


def _container(seen: Objects, item: Object, container: dict[str, Any], minutes: float) -> Flaw | None:
    waiting, ended = (mapping(container, *place) for place in (("state", "waiting"), ("lastState", "terminated")))
    reason, restarts = text(waiting, "reason"), container.get("restartCount")
    killed = text(ended, "reason") == "OOMKilled"
    crashing = reason == "CrashLoopBackOff"
    count = restarts if isinstance(restarts, int) else 0
    if reason in ("", "ContainerCreating", "PodInitializing") and not (killed and not container.get("ready")):
        return None
    if crashing and not killed and count < RESTARTS:
        return None
    normal = (LATER if seen.completed else INSTALLING) if crashing else PULLING
    said = _shown(words(waiting)) or "its last run was ended for lack of memory"
    last = _shown(text(ended, "message"))
    times = f", after {count} restarts" if count else ""
    return Flaw(
        subject=f"pod {label(item)}",
        message=f"container {one_line(text(container, 'name'))}: {said}{times}{f'; it said: {last}' if last else ''}",
        failure="F38" if killed else _recognized(said) or _recognized(last),
        severity="error" if killed else _severity(minutes, normal),
    )
