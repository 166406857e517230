"""What each image of a release is for: the table behind `hardway release info --images`."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

from hardway.io.harmless import one_line
from hardway.model.cluster import Release
from hardway.model.why import because
from hardway.release.components import cloud, control, machines, network, platform, storage
from hardway.release.components.row import Component
from hardway.release.payload.read import Payload

TABLE: tuple[Component, ...] = tuple(
    sorted(
        chain(
            control.ROWS,
            machines.ROWS,
            network.ROWS,
            storage.ROWS,
            platform.ROWS,
            cloud.ROWS,
        ),
        key=lambda row: row.name,
    )
)
UNKNOWN = "not in hardway's table: newer than it, or of another distribution"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """An image of one release."""

    name: str
    image: str
    component: Component

    def as_dict(self) -> dict[str, str]:
        why = self.component.why
        return {
            "name": self.name,
            "image": self.image,
            "family": self.component.family,
            "familyBreaks": self.component.family_breaks,
            "what": why.what,
            "runs": why.readers,
            "source": why.source,
        }


def table(release: Release | Payload) -> list[Row]:
    """A row for each image of a release; one that the table does not know says so, with its repository if known."""
    known = {component.name: component for component in TABLE}
    sources = release.references.sources if isinstance(release, Payload) else {}
    return [
        Row(name=name, image=image, component=known.get(name) or _unknown(name, sources.get(name, "")))
        for name, image in sorted(release.images.items())
    ]


def _unknown(name: str, source: str) -> Component:
    return Component(name=name, family="unknown", why=because(UNKNOWN, source=source))


def text(rows: list[Row]) -> str:
    """For a terminal: the families one after the other."""
    width = max((len(one_line(row.name)) for row in rows), default=0)
    lines = []
    for family in _families(rows):
        lines += ["", family]
        for row in (r for r in rows if r.component.family == family):
            lines.append(f"  {one_line(row.name):{width}}  {row.component.why.what}")
    return "\n".join(lines[1:])


def markdown(release: Release | Payload) -> str:
    """assets/release/components.md."""
    rows = table(release)
    parts = [f"# The images of release {release.version}", f"{len(rows)} images, by what they belong to."]
    for family in _families(rows):
        lines = ["| image | for | run by | source |", "| --- | --- | --- | --- |"]
        for row in (r for r in rows if r.component.family == family):
            why = row.component.why
            cells = [f"`{row.name}`", why.what, why.readers, why.source]
            lines.append("| " + " | ".join(one_line(cell).replace("|", "\\|") for cell in cells) + " |")
        parts += [f"## {family}", "\n".join(lines)]
    return "\n\n".join(parts) + "\n"


def _families(rows: list[Row]) -> list[str]:
    return sorted({row.component.family for row in rows}, key=lambda family: (family == "unknown", family))
