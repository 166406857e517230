"""What an expected difference says, and what a found one."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from hardway.compare.row import ABSENT
from hardway.model.why import Why

Area = Literal["pods", "flags", "config", "certificates", "manifests", "files"]
Kind = Literal["operator", "hand", "other"]
Accept = Callable[[Any, Any], bool]

AREAS: dict[Area, str] = {
    "pods": "Pods: containers, mounts, probes, rights",
    "flags": "Arguments: flags, variables, and what a configuration file says instead of them",
    "config": "The API server's configuration file: what no flag has",
    "certificates": "Certificates and keys",
    "manifests": "Manifests: the objects that the cluster is given",
    "files": "Files laid on the bootstrap machine",
}
KINDS: dict[Kind, str] = {
    "operator": "the operator adds it",
    "hand": "ours has it in addition",
    "other": "both have it, differently",
}


def whatever(theirs: Any, ours: Any) -> bool:
    return True


def values(theirs: Any, ours: Any) -> Accept:
    """Just these two, and no other."""
    return lambda first, second: bool(first == theirs and second == ours)


def is_theirs(*known: Any) -> Accept:
    """Only the operator has it; with these values alone, if any are named."""
    return lambda first, second: second == ABSENT and first != ABSENT and (not known or first in known)


def is_ours(*known: Any) -> Accept:
    return lambda first, second: first == ABSENT and second != ABSENT and (not known or second in known)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A difference as it was computed. The operator is the name of the folder below rendered/."""

    area: Area
    operator: str
    thing: str  # a pod, a program, an object, a file
    aspect: str  # containers.etcd.image, --etcd-prefix, tls.crt[0].subject, metadata.labels, …
    theirs: Any
    ours: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One difference that is meant. In thing and aspect, `*` stands for any text and `|` is between alternatives."""

    name: str
    area: Area
    kind: Kind
    why: Why
    thing: str = "*"
    aspect: str = "*"
    besides: str = ""  # aspects that it does not explain, although they look like it
    operator: str = "*"
    accept: Accept = whatever

    def matches(self, found: Found) -> bool:
        return (
            self.area == found.area
            and like(self.operator, found.operator)
            and like(self.thing, found.thing)
            and like(self.aspect, found.aspect)
            and not (self.besides and like(self.besides, found.aspect))
            and self.accept(found.theirs, found.ours)
        )


def like(pattern: str, text: str) -> bool:
    return any(re.fullmatch(".*".join(map(re.escape, one.split("*"))), text) for one in pattern.split("|"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A found one with its values as they may be printed, and the row that explains it."""

    area: Area
    operator: str
    thing: str
    aspect: str
    theirs: Any
    ours: Any
    row: Row | None

    def as_dict(self) -> dict[str, Any]:
        found = {
            "area": self.area,
            "operator": self.operator,
            "thing": self.thing,
            "aspect": self.aspect,
            "theirs": self.theirs,
            "ours": self.ours,
        }
        if self.row is None:
            return found | {"row": None, "kind": None, "why": None, "without": None, "source": None}
        why = self.row.why
        reason = {"why": why.what, "without": why.breaks, "source": why.source}
        return found | {"row": self.row.name, "kind": self.row.kind, **reason}
