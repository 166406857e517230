"""Stage 16: ClusterOperators in groups. What is wrong stands in full, in the order in which they depend on each other.
Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from hardway.drive.observation import Observation, OperatorSeen
from hardway.drive.stall import Cause
from hardway.model.cluster import Cluster
from hardway.release.convergence import BY_NAME, needed
from hardway.release.stalls import known

COUNTS = re.compile(r"(\d+) ?(?:of|/) ?(\d+)|(\d+) nodes? (?:is|are) at revision (\d+)")
"""How far somebody is: replicas, manifests that CVO has applied, masters at a revision."""
MOST = 3  # causes that are told at once


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocker:
    """An operator that waits for no other that is wrong."""

    row: OperatorSeen
    behind: tuple[str, ...]  # wrong too, and waiting for it

    @property
    def text(self) -> str:
        return f"{flaw(self.row)}; behind it: {', '.join(self.behind)}" if self.behind else flaw(self.row)


@dataclass(frozen=True, slots=True, kw_only=True)
class Groups:
    done: tuple[str, ...]
    blockers: tuple[Blocker, ...]  # not Available or Degraded; the one that most others wait for first
    late: tuple[str, ...]  # well, and not at the release's version yet

    @property
    def all(self) -> int:
        return len(self.done) + len(self.late) + sum(1 + len(row.behind) for row in self.blockers)


def grouped(operators: Sequence[OperatorSeen], version: str) -> Groups:
    wrong = {row.name: row for row in operators if not row.available or row.degraded}
    late = [row.name for row in operators if row.name not in wrong and row.version != version]
    return Groups(
        done=tuple(row.name for row in operators if row.name not in wrong and row.name not in late),
        blockers=tuple(_blockers(wrong)),
        late=tuple(sorted(late)),
    )


def _blockers(wrong: dict[str, OperatorSeen]) -> Iterator[Blocker]:
    """Each that is behind several is listed once, behind the first."""
    needs = {name: needed(name) & wrong.keys() for name in wrong}
    waiting = {name: [other for other in sorted(wrong) if name in needs[other]] for name in wrong}
    told: set[str] = set()
    for name in sorted((name for name in wrong if not needs[name]), key=lambda name: (-len(waiting[name]), name)):
        behind = tuple(other for other in waiting[name] if other not in told)
        told |= {*behind}
        yield Blocker(row=wrong[name], behind=behind)


def flaw(row: OperatorSeen) -> str:
    state = "not Available" if not row.available else "Degraded"
    return f"{row.name} is {state}{f': {row.message}' if row.message else ''}"


def missing(o: Observation, cluster: Cluster) -> str:
    if o.api or not o.operators:
        return o.api or "the first ClusterOperator"
    found = grouped(o.operators, cluster.release.version)
    parts = [row.text for row in found.blockers]
    if found.late:
        parts.append(f"not yet at {cluster.release.version}: {', '.join(found.late)}")
    return "; ".join([*parts, f"{len(found.done)} of {found.all} ClusterOperators are done"]) if parts else ""


def progress(o: Observation, cluster: Cluster) -> frozenset[str]:
    """What was achieved, each thing once: an operator that goes to and fro is not getting anywhere."""
    return frozenset(_achieved(o, cluster.release.version))


def _achieved(o: Observation, version: str) -> Iterator[str]:
    for row in o.operators:
        yield f"{row.name} reports"
        if row.available:
            yield f"{row.name} is Available"
            yield from () if row.degraded else (f"{row.name} is well",)
        if row.version == version:
            yield f"{row.name} is at its version"
        if not row.progressing:
            yield f"{row.name} has settled"
        yield from _counted(row.name, row.said)
    yield from _counted("CVO", o.version.message)
    if o.version.completed:
        yield "CVO is done"
    yield from (f"{name} has {len(files)} static pods" for name, files in o.manifests.items())


def _counted(name: str, said: str) -> Iterable[str]:
    return (f"{name}: {'/'.join(filter(None, found))}" for found in COUNTS.findall(said))


def causes(o: Observation, cluster: Cluster) -> tuple[Cause, ...]:
    """Of each blocker: what is known to make an operator say this, or what the table says about the operator."""
    found = grouped(o.operators, cluster.release.version)
    return tuple(_cause(row) for row in found.blockers[:MOST])


def _cause(blocker: Blocker) -> Cause:
    name, said = blocker.row.name, blocker.row.said or blocker.row.message
    stall, row = known(name, said), BY_NAME.get(name)
    what = stall.why.what if stall else f"it waits for {row.waits}" if row else "read its message"
    first = f"{name} comes first, before {', '.join(blocker.behind)}" if blocker.behind else name
    return Cause(
        text=f"{first}: {what}",
        evidence=flaw(blocker.row),
        fix=stall.fix if stall else row.do.replace("NAME", name) if row else f"`oc describe co {name}`",
        failures=stall.failures if stall else (),
        normal=row.normal if row else "",
    )
