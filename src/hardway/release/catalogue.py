"""The embedded catalogue: what is known of one public release of each line without any network."""

from __future__ import annotations

from functools import cache

from hardway.lines.find import known_lines, line_of
from hardway.lines.line import Line
from hardway.model.cluster import Brought, Gates, Release


def versions() -> tuple[str, ...]:
    return tuple(line.release for line in known_lines())


def release_for(version: str) -> Release:
    """The release of that version; KeyError if the catalogue does not know it."""
    line = line_of(version)
    if line is None or line.release != version:
        raise KeyError(version)
    return release_of(line)


@cache
def release_of(line: Line) -> Release:
    """The line's built-in release."""
    facts = line.facts("images.json")
    repository = facts["releaseImage"].rsplit(":", 1)[0]
    return Release(
        version=line.release,
        image=f"{repository}@{facts['releaseDigest']}",
        images=facts["images"],
        gates=feature_gates(line),
        brought=expected(line),
    )


def expected(line: Line) -> Brought:
    """What every release of the line brings, as far as it is known before one is read."""
    return Brought(
        operators={row.name: () for row in line.operators},
        deployments=tuple(sorted(row.deployment for row in line.operators)),
    )


@cache
def feature_gates(line: Line) -> dict[str, Gates]:
    """The gates that a line enables and disables on a self-managed cluster, by feature set."""
    known = line.facts("feature-gates.json")
    return {name: (tuple(gates["enabled"]), tuple(gates["disabled"])) for name, gates in known.items()}
