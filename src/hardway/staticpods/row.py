"""What a row of a flag table says, and how a table becomes a command line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from hardway.model.cluster import Cluster, Node
from hardway.model.why import Why, because

Text = str | tuple[str, ...] | None
"""One value, one per repetition of the flag, or None: the flag is left out."""

CIS = "CIS Kubernetes Benchmark 1.11, check "


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag:
    name: str
    value: str | Callable[[Cluster, Node], Text]
    why: Why


DEFAULT = "no effect today: it is the default of the program. "


def by_default(otherwise: str) -> str:
    """What is lost without a flag whose value is the default: nothing, and what another value would mean."""
    return f"{DEFAULT}{otherwise}"


def flag(
    name: str,
    value: str | Callable[[Cluster, Node], Text],
    what: str,
    *,
    readers: str = "",
    breaks: str = "",
    source: str = "",
) -> Flag:
    """The short spelling that the tables use."""
    return Flag(name=name, value=value, why=because(what, readers=readers, breaks=breaks, source=source))


def arguments(table: tuple[Flag, ...], cluster: Cluster, node: Node) -> list[str]:
    return [f"{row.name}={text}" for row in table for text in _texts(row, cluster, node)]


def reasons(table: tuple[Flag, ...], program: str) -> Mapping[str, Why]:
    """By flag; who reads it is the program, if the row does not say more."""
    return {row.name: replace(row.why, readers=row.why.readers or program) for row in table}


def _texts(row: Flag, cluster: Cluster, node: Node) -> Iterator[str]:
    value = row.value if isinstance(row.value, str) else row.value(cluster, node)
    if isinstance(value, str):
        yield value
    elif value is not None:
        yield from value
