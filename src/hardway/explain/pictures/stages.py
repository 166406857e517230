"""The seventeen stages from top to bottom: what runs meanwhile, how many members etcd has, what is reached."""

from __future__ import annotations

from hardway.drive.milestones.table import BY_NAME
from hardway.drive.milestones.table import TABLE as MILESTONES
from hardway.explain.pictures.canvas import Canvas, width
from hardway.model.cluster import Cluster
from hardway.model.stages import number
from hardway.stages.table import TABLE

ROW, TOP, LANE, BAR = 34, 64, 92, 40
ETCD = "etcd members"
PIVOT = number("pivot")


def lanes(cluster: Cluster) -> dict[str, tuple[int, int]]:
    """Who is there, from which stage to which."""
    last = len(TABLE)
    built = [int(stage.number) for stage in TABLE if stage.work == "build"]
    found = {
        "files": (built[0], built[-1]),
        "bootstrap": (number("bootstrap"), _stage("bootstrap-off")),
        "masters": (_stage("masters-ready"), last),
        "their API": (_stage("apis"), last),
        "workers": (_stage("workers-on"), last),
    }
    return found if cluster.workers else {name: span for name, span in found.items() if name != "workers"}


def _stage(milestone: str) -> int:
    return int(BY_NAME[milestone].stage)


def members(cluster: Cluster) -> dict[int, str]:
    """How many members etcd has at the end of a stage."""
    masters = len(cluster.masters)
    counts = {"bootstrap": "1", "control-plane": f"1 → {masters + 1}", "pivot": f"{masters + 1} → {masters}"}
    return {number(name): count for name, count in counts.items()}


def picture(cluster: Cluster) -> str:
    spans, counts = lanes(cluster), members(cluster)
    canvas = Canvas(
        title="The 17 stages",
        description="Stages from top to bottom. Bars show what exists or runs: "
        + "; ".join(f"{name} from stage {first} to {last}" for name, (first, last) in spans.items())
        + f". The pivot is stage {PIVOT}.",
    )
    label = max(width(stage.title) for stage in TABLE) + 56
    reached = {stage.number: ", ".join(m.name for m in MILESTONES if m.stage == stage.number) for stage in TABLE}
    etcd = label + LANE * len(spans)
    room = width(ETCD, "name") + 24
    right = etcd + room
    wide = right + max(width(names, "code") for names in reached.values()) + 16
    canvas.box((4, TOP + (PIVOT - 1) * ROW), (wide - 8, ROW), "band")
    for index in range(len(TABLE) + 1):
        canvas.line([(4, TOP + index * ROW), (wide - 4, TOP + index * ROW)], "grid")
    for column, (name, (first, last)) in enumerate(spans.items()):
        middle = label + LANE * column + LANE / 2
        canvas.text((middle, 40), name, "name", "middle")
        canvas.box((middle - BAR / 2, TOP + (first - 1) * ROW + 4), (BAR, (last - first + 1) * ROW - 8), "lane")
    canvas.text((etcd + room / 2, 40), ETCD, "name", "middle")
    canvas.text((right, 40), "milestones", "name")
    for index, stage in enumerate(TABLE):
        line = TOP + index * ROW + 22
        canvas.text((16, line), stage.number, "code")
        canvas.text((44, line), stage.title, "name" if index + 1 == PIVOT else "")
        if count := counts.get(index + 1):
            canvas.text((etcd + room / 2, line), count, "code", "middle")
        if names := reached[stage.number]:
            canvas.text((right, line), names, "code")
    return canvas.svg((wide, TOP + len(TABLE) * ROW + 12))
