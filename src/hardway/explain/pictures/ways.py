"""Names, the addresses that they lead to, the load balancer's ports, and the nodes behind each port."""

from __future__ import annotations

from hardway.explain.pictures.canvas import Canvas, Point, width
from hardway.model.cluster import Cluster
from hardway.network.dns.records import ROWS
from hardway.network.frontends import TABLE

HIGH, GAP, BETWEEN, TOP = 44, 14, 110, 48
BALANCED = ("api", "api-int", "apps")


def picture(cluster: Cluster) -> str:
    names = [host for row in ROWS if row.name in BALANCED for host in row.hosts(cluster)]
    vips = list(dict.fromkeys(address for _, addresses in names for address in addresses))
    nodes = [n for n in cluster.nodes if any(n in row.nodes(cluster) for row in TABLE)]
    columns = [
        ("names", [(name, "") for name, _ in names]),
        ("addresses of the load balancer", [(vip, "") for vip in vips]),
        ("ports", [(f"{row.name} :{row.port}", _health(row.health.path, tls=row.health.tls)) for row in TABLE]),
        ("nodes", [(node.name, node.address) for node in nodes]),
    ]
    canvas = Canvas(
        title="From names to nodes",
        description="; ".join(f"{name} → {', '.join(addresses)}" for name, addresses in names)
        + "; "
        + "; ".join(f"port {row.port} → {', '.join(n.name for n in row.nodes(cluster))}" for row in TABLE),
    )
    high = max(len(rows) for _, rows in columns) * (HIGH + GAP)
    places: list[list[tuple[Point, float]]] = []
    x = 16.0
    for head, rows in columns:
        wide = max([width(head, "name"), *(max(width(a, "code"), width(b, "small")) + 24 for a, b in rows)])
        canvas.text((x, 30), head, "name")
        step = high / len(rows)
        column = []
        for index, (first, second) in enumerate(rows):
            y = TOP + index * step + (step - HIGH) / 2
            kind = "gone" if first == cluster.bootstrap.name else "box"
            canvas.box((x, y), (wide, HIGH), kind)
            canvas.text((x + 12, y + (19 if second else 27)), first, "code")
            if second:
                canvas.text((x + 12, y + 35), second, "small")
            column.append(((x, y + HIGH / 2), wide))
        places.append(column)
        x += wide + BETWEEN
    for (_, addresses), start in zip(names, places[0], strict=True):
        _to(canvas, start, [places[1][vips.index(address)] for address in addresses])
    for row, port in zip(TABLE, places[2], strict=True):
        for vip in row.vips(cluster):
            _to(canvas, places[1][vips.index(vip)], [port])
        for node in row.nodes(cluster):
            kind = "later" if node is cluster.bootstrap else "line"
            _to(canvas, port, [places[3][nodes.index(node)]], kind)
    canvas.text((16, TOP + high + 18), "dashed: until the pivot, stage 13", "small")
    return canvas.svg((x - BETWEEN + 16, TOP + high + 32))


def _health(path: str, *, tls: bool) -> str:
    return f"health: {'https' if tls else 'http'} {path}"


def _to(canvas: Canvas, start: tuple[Point, float], ends: list[tuple[Point, float]], kind: str = "line") -> None:
    (x, y), wide = start
    for (to_x, to_y), _ in ends:
        canvas.bend((x + wide, y), (to_x - 2, to_y), kind)
