"""A difference between the two sides of a comparison, and the row of a table that says why it is meant."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Set
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Literal

from hardway.compare.certificates import bare
from hardway.model.why import Why

Area = Literal["", "pods", "flags", "config", "certificates", "manifests", "files"]
Kind = Literal["", "operator", "hand", "other"]
Accept = Callable[[Any, Any], bool]
ABSENT = "absent"
PRESENT = "present"
AREAS: dict[Area, str] = {
    "pods": "Pods: containers, mounts, probes, rights",
    "flags": "Arguments: flags, variables, and settings in configuration files",
    "config": "Configuration files: settings that no flag has",
    "certificates": "Certificates and keys",
    "manifests": "Manifests: the objects that the cluster is given",
    "files": "Files written to the bootstrap machine",
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
    """Ours does not have it; theirs has one of these values, if any are named."""
    return lambda first, second: second == ABSENT and first != ABSENT and (not known or first in known)


def is_ours(*known: Any) -> Accept:
    return lambda first, second: first == ABSENT and second != ABSENT and (not known or second in known)


ONLY_THEIRS = values(PRESENT, ABSENT)
ONLY_OURS = values(ABSENT, PRESENT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Addresses:
    """What a cluster plans for itself: ours puts some of it into certificates, the installer does not."""

    api: frozenset[str] = frozenset()
    control_plane: frozenset[str] = frozenset()  # of the bootstrap machine and of every master


@dataclass(frozen=True, slots=True)
class Difference:
    """As a reader finds it; the engine adds the row that explains it, and hides what is secret."""

    thing: str  # a file, a unit, a pod, a program, an object
    aspect: str  # file, mode, certificate[0].sans, containers.etcd.image, --etcd-prefix, metadata.labels, …
    theirs: Any
    ours: Any
    area: Area = ""
    operator: str = ""  # the name of the folder below rendered/
    secret: bool = False
    row: Row | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One difference that is meant. In thing and aspect, `*` stands for any text and `|` is between alternatives."""

    name: str
    what: str
    breaks: str = ""
    source: str = ""
    thing: str = "*"
    aspect: str = "*"
    besides: str = ""  # aspects that it does not explain, although they look like it
    operator: str = "*"
    area: Area = ""
    kind: Kind = ""
    accept: Accept = whatever
    added: Callable[[Addresses], Set[str]] | None = None  # the names that ours has beside all of theirs

    @property
    def why(self) -> Why:
        return Why(what=self.what, breaks=self.breaks, source=self.source)

    def explains(self, found: Difference, planned: Addresses) -> bool:
        return (
            self.area == found.area
            and like(self.operator, found.operator)
            and like(self.thing, found.thing)
            and like(self.aspect, found.aspect)
            and not (self.besides and like(self.besides, found.aspect))
            and self.accept(found.theirs, found.ours)
            and (self.added is None or _is_more_by(found.theirs, found.ours, self.added(planned)))
        )


def like(pattern: str, text: str) -> bool:
    return bool(_compiled(pattern).fullmatch(text))


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile("|".join(".*".join(map(re.escape, one.split("*"))) for one in pattern.split("|")))


def _is_more_by(theirs: Any, ours: Any, extra: Set[str]) -> bool:
    """Whether ours is all of theirs and just these; a description does not tell of which type a name is."""
    if not isinstance(theirs, tuple) or not isinstance(ours, tuple) or not set(theirs) < set(ours):
        return False
    return {bare(name) for name in set(ours) - set(theirs)} == extra


theirs_alone = partial(Row, kind="operator", accept=ONLY_THEIRS)
ours_alone = partial(Row, kind="hand", accept=ONLY_OURS)
both_differ = partial(Row, kind="other")


def presence(thing: str, theirs: Container[str], ours: Container[str]) -> tuple[str, str]:
    """Whether each of the two sides has it."""
    return PRESENT if thing in theirs else ABSENT, PRESENT if thing in ours else ABSENT
