"""The first line of a file made for people to put on their own machines, and comments that fit a line."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from textwrap import wrap

from hardway.model.cluster import Cluster

MADE = "made by `hardway network files`"


def mark(cluster: Cluster, name: str, sign: str = "#") -> str:
    return f"{sign} {name} of {cluster.domain}, {MADE}: change install-config.yaml or hosts.yaml and make it again."


def is_ours(text: str) -> bool:
    return MADE in text.partition("\n")[0]


def sealed(text: str) -> str:
    """With the digest of the other lines in the first one, so that a change by hand shows."""
    first, _, rest = text.partition("\n")
    return f"{first} (sha256 of the other lines: {_digest(rest)})\n{rest}"


def is_edited(text: str) -> bool:
    """Whether somebody changed it since it was made; one without a digest may be changed."""
    first, _, rest = text.partition("\n")
    return not first.endswith(f" {_digest(rest)})")


def _digest(text: str) -> str:
    return sha256(text.encode(errors="surrogateescape")).hexdigest()[:16]


def comment(text: str, *, indent: int = 0, sign: str = "#") -> Iterator[str]:
    start = f"{' ' * indent}{sign} "
    yield from wrap(text, 118, initial_indent=start, subsequent_indent=start, break_on_hyphens=False)
