"""A release: from one digest to the image of a component."""

from __future__ import annotations

from hardway.explain.pictures.canvas import Canvas, width
from hardway.model.cluster import Cluster
from hardway.release.components.table import TABLE

EXAMPLE = "etcd"
HIGH, GAP, LEFT = 58, 40, 16


def steps(cluster: Cluster) -> list[tuple[str, str]]:
    """What is read, and what it gives."""
    release = cluster.release
    return [
        (short(release.image), f"the release image of {release.version}: the one line that you choose and verify"),
        ("manifest → layers", "each blob is fetched by its digest and compared with it"),
        (
            "/release-manifests/image-references",
            f"images by name and digest; hardway knows {len(TABLE)} of the names",
        ),
        (f'from.name: "{EXAMPLE}"', "a component, by the name that its operator uses"),
        (short(release.image_for(EXAMPLE)), f"the image in the static pod {EXAMPLE}, by digest: no tag can move it"),
    ]


def short(image: str) -> str:
    """A reference with the beginning of its digest."""
    name, _, digest = image.partition("@sha256:")
    return f"{name}@sha256:{digest[:12]}…" if digest else name


def picture(cluster: Cluster) -> str:
    found = steps(cluster)
    wide = max(max(width(first, "code"), width(second, "small")) for first, second in found) + 28
    canvas = Canvas(
        title="A release, from its digest to an image of a component",
        description=" → ".join(f"{first}: {second}" for first, second in found),
    )
    for index, (first, second) in enumerate(found):
        y = LEFT + index * (HIGH + GAP)
        canvas.box((LEFT, y), (wide, HIGH))
        canvas.text((LEFT + 14, y + 25), first, "code")
        canvas.text((LEFT + 14, y + 45), second, "small")
        if index:
            canvas.line([(LEFT + wide / 2, y - GAP), (LEFT + wide / 2, y - 2)], head=True)
    return canvas.svg((wide + 2 * LEFT, len(found) * (HIGH + GAP) - GAP + 2 * LEFT))
