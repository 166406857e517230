"""In which order the machines are installed, and why."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hardway.lines.sources import source
from hardway.model.cluster import Node, Role
from hardway.model.why import Why, because

UPI = source("installer", "docs/user/metal/install_upi.md")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wave:
    """Machines that are installed at the same time. The next ones wait until all of these run."""

    role: Role
    why: Why


ORDER: tuple[Wave, ...] = (
    Wave(
        role="bootstrap",
        why=because(
            "The bootstrap node has the only API server at first, and every other machine needs it at boot.",
            breaks="masters wait for an API, and an error on the first machine would appear on every machine",
            source=UPI,
        ),
    ),
    Wave(
        role="master",
        why=because(
            "All masters at once: etcd and the control plane move to the masters only when enough of them run.",
            breaks="the bootstrap's short-lived certificates expire while it waits for the last one (F01)",
            source=UPI,
        ),
    ),
    Wave(
        role="worker",
        why=because(
            "No earlier stage needs workers, and their requests to join are approved only when the masters answer.",
            breaks="their certificate requests wait at an API that is about to move (F27)",
            source=UPI,
        ),
    ),
)


def waves(nodes: Iterable[Node]) -> list[tuple[Wave, tuple[Node, ...]]]:
    known = tuple(nodes)
    found = ((wave, tuple(n for n in known if n.role == wave.role)) for wave in ORDER)
    return [(wave, members) for wave, members in found if members]
