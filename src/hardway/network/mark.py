"""The first line of a file made for people to put on their own machines, and comments that fit a line."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from hardway.model.cluster import Cluster

MADE = "made by `hardway network files`"


def mark(cluster: Cluster, name: str, sign: str = "#") -> str:
    return f"{sign} {name} of {cluster.domain}, {MADE}: change install-config.yaml or hosts.yaml and make it again."


def is_ours(text: str) -> bool:
    return MADE in text.partition("\n")[0]


def comment(text: str, *, indent: int = 0, sign: str = "#") -> Iterator[str]:
    start = f"{' ' * indent}{sign} "
    yield from wrap(text, 118, initial_indent=start, subsequent_indent=start, break_on_hyphens=False)
