"""What has held pods up, from the cluster's own record: images that were pulled, containers that had to start again,
requests that waited for an approval. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from hardway.drive.client import Object

STARTED = re.compile(r"^(\S+) .*Started container.* description=(\S+)", re.MULTILINE)
PULLED = re.compile(r"[Ss]uccessfully pulled image .* in ([\d.]+)(m?s)\b")
LEAST = 1.0  # seconds that are worth a line
MINUTE = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Delay:
    seconds: float
    where: str
    cause: str

    def line(self) -> str:
        return f"{self.seconds:6.1f} s  {self.where:<60}  {self.cause}"


def delays(pods: Iterable[Object], events: Iterable[Object], requests: Iterable[Object]) -> list[Delay]:
    """The longest first."""
    found = [*_restarts(pods), *_pulls(events), *_approvals(requests)]
    return sorted((one for one in found if one.seconds >= LEAST), key=lambda one: -one.seconds)


def repeated(node: str, journal: str) -> list[Delay]:
    """Containers that had to start again within a minute, from CRI-O's own words: a node need not be in the cluster."""
    starts: dict[str, list[str]] = {}
    for at, container in STARTED.findall(journal):
        starts.setdefault(container, []).append(at)
    gaps = {name: [_between(*pair) for pair in pairwise(times)] for name, times in starts.items()}
    quick = {name: [gap for gap in found if gap < MINUTE] for name, found in gaps.items()}
    cause = "started {} times: from the second failure on, the kubelet waits 10 s and longer (CrashLoopBackOff)"
    return [
        Delay(seconds=sum(found), where=f"{node} {name}", cause=cause.format(len(found) + 1))
        for name, found in quick.items()
        if found
    ]


def _restarts(pods: Iterable[Object]) -> Iterator[Delay]:
    """From the end of the container that has failed to the start of the one that runs."""
    for pod in pods:
        for status in (pod.get("status") or {}).get("containerStatuses") or ():
            ended = (status.get("lastState") or {}).get("terminated") or {}
            running = (status.get("state") or {}).get("running") or {}
            if ended and running:
                place = f"{pod['metadata']['namespace']}/{pod['metadata']['name']}"
                cause = (
                    f"{status['name']} ended with exit code {ended.get('exitCode')}, and the kubelet started it again"
                )
                yield Delay(seconds=_between(ended["finishedAt"], running["startedAt"]), where=place, cause=cause)


def _pulls(events: Iterable[Object]) -> Iterator[Delay]:
    for event in events:
        if event.get("reason") == "Pulled" and (found := PULLED.search(event.get("message") or "")):
            about = event["involvedObject"]
            seconds = float(found[1]) / (1000 if found[2] == "ms" else 1)
            yield Delay(seconds=seconds, where=f"{about['namespace']}/{about['name']}", cause="its image was pulled")


def _approvals(requests: Iterable[Object]) -> Iterator[Delay]:
    for request in requests:
        for condition in (request.get("status") or {}).get("conditions") or ():
            if condition["type"] == "Approved":
                asked = request["metadata"]["creationTimestamp"]
                where = f"{request['metadata']['name']} of {request['spec'].get('username')}"
                yield Delay(seconds=_between(asked, condition["lastUpdateTime"]), where=where, cause="its approval")


def _between(begun: str, ended: str) -> float:
    return (datetime.fromisoformat(ended) - datetime.fromisoformat(begun)).total_seconds()
