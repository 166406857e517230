"""etcd's members, step by step: one more for each master, and the bootstrap member leaves."""

from __future__ import annotations

from dataclasses import dataclass

from hardway.explain.pictures.canvas import Canvas, width
from hardway.model.cluster import Cluster
from hardway.staticpods.etcd.flags import BOOTSTRAP_MEMBER

ACROSS, CIRCLE, LINE, TOP, LEFT = 168, 13, 36, 48, 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    stage: str
    members: tuple[str, ...]

    @property
    def majority(self) -> int:
        return len(self.members) // 2 + 1

    @property
    def spare(self) -> int:
        """So many members may fail."""
        return len(self.members) - self.majority


def moments(cluster: Cluster) -> list[Moment]:
    masters = tuple(node.name for node in cluster.masters)
    grown = [
        Moment(stage="12" if count else "10", members=(BOOTSTRAP_MEMBER, *masters[:count]))
        for count in range(len(masters) + 1)
    ]
    return [*grown, Moment(stage="13", members=masters)]


def picture(cluster: Cluster) -> str:
    steps = moments(cluster)
    everyone = (BOOTSTRAP_MEMBER, *(node.name for node in cluster.masters))
    label = max(width(name, "code") for name in everyone) + LEFT + 24
    canvas = Canvas(
        title="etcd from one member to one on each master",
        description="; ".join(
            f"stage {step.stage}: {', '.join(step.members)}; majority {step.majority}, {step.spare} may fail"
            for step in steps
        ),
    )
    for row, name in enumerate(everyone):
        canvas.text((LEFT, TOP + row * LINE + 17), name, "code")
    below = TOP + len(everyone) * LINE + 8
    for column, step in enumerate(steps):
        middle = label + column * ACROSS + ACROSS / 2
        canvas.text((middle, 30), f"stage {step.stage}", "name", "middle")
        for row, name in enumerate(everyone):
            canvas.circle((middle, TOP + row * LINE + 13), CIRCLE, "lane" if name in step.members else "gone")
        count = len(step.members)
        canvas.text((middle, below + 14), f"{count} {'member' if count == 1 else 'members'}", "", "middle")
        canvas.text((middle, below + 34), f"majority {step.majority}", "", "middle")
        canvas.text((middle, below + 54), f"{step.spare} may fail", "small", "middle")
        if column:
            start = middle - ACROSS + CIRCLE + 30
            canvas.line([(start, below + 10), (middle - CIRCLE - 34, below + 10)], head=True)
    return canvas.svg((label + len(steps) * ACROSS + LEFT, below + 68))
