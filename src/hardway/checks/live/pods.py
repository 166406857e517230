"""Every pod of the cluster: none is unable to start, and none starts again and again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from hardway.checks.live.given import Given
from hardway.checks.live.work import PODS
from hardway.drive.client import LONGEST, Object, Trouble
from hardway.model.check import Flaw

NORMAL = frozenset({"ContainerCreating", "PodInitializing"})
CRASHING = "CrashLoopBackOff"
RESTARTS = 5  # fewer are normal: a container that starts before its node has a serving certificate ends, and is retried


def broken(given: Given) -> Iterator[Flaw]:
    if not given.until(lambda: "; ".join(f"{flaw.subject} {flaw.message}" for flaw in _now(given))):
        return
    yield from _now(given)


def _now(given: Given) -> list[Flaw]:
    found = given.live.api.items(PODS)
    if isinstance(found, Trouble):
        return [Flaw(subject="the API", message=found.message)]
    return [flaw for pod in found for flaw in _pod(pod)]


def _pod(pod: Object) -> Iterator[Flaw]:
    meta, status = pod["metadata"], pod.get("status") or {}
    name = f"{meta['namespace']}/{meta['name']}"
    for kind in ("initContainerStatuses", "containerStatuses"):
        for container in status.get(kind) or ():
            if trouble := _container(container):
                yield Flaw(subject=name, message=f"container {container['name']}: {trouble}"[:LONGEST])


def _container(container: Mapping[str, Any]) -> str:
    waiting = (container.get("state") or {}).get("waiting") or {}
    reason, restarts = waiting.get("reason", ""), container.get("restartCount", 0)
    if not reason or reason in NORMAL or (reason == CRASHING and restarts < RESTARTS):
        return ""
    return ": ".join(str(word) for word in (reason, waiting.get("message")) if word)
