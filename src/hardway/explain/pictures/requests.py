"""A node's two certificate requests: who asks whom, what is judged, who signs."""

from __future__ import annotations

from hardway.drive.csr.kinds import KINDS
from hardway.drive.csr.rules import RULES
from hardway.explain.pictures.canvas import Canvas, width
from hardway.model.cluster import Cluster
from hardway.pki import families

TOP, STEP, LEFT = 48, 42, 16
PARTIES = ("kubelet", "kube-apiserver", "hardway approve", "kube-controller-manager")


def picture(cluster: Cluster) -> str:
    shared = next(row.says.common_name for row in families.TABLE if row.name == "kubelet-client")
    askers = {"client": shared.rsplit(":", 1)[-1], "serving": f"system:node:{cluster.masters[0].name}"}
    heads = [f"{turn}. {kind.what}" for turn, kind in enumerate(KINDS, 1)]
    words = (*(f"as {name}" for name in askers.values()), *(kind.signer for kind in KINDS))
    across = max(width(text, "code") for text in words) + 24
    first = LEFT + max(width(PARTIES[0], "name"), 2 * max(width(head, "head") for head in heads) + 2 * LEFT) / 2
    lanes = [first + index * across for index in range(len(PARTIES))]
    rules = ", ".join(rule.name for rule in RULES)
    canvas = Canvas(
        title="The two certificate requests of a node",
        description="; ".join(f"{kind.what}: signer {kind.signer}, use {kind.use}" for kind in KINDS)
        + f"; judged by the rules {rules}",
    )
    high = TOP + STEP * 6 * len(KINDS)
    received = {"client": f"now it is {askers['serving']}", "serving": "it serves with it"}
    for x, name in zip(lanes, PARTIES, strict=True):
        canvas.text((x, 26), name, "name", "middle")
        canvas.line([(x, 36), (x, high)], "later")
    y = float(TOP)
    for head, kind in zip(heads, KINDS, strict=True):
        canvas.text((LEFT, y + STEP + 5), head, "head")
        messages = (
            (0, 1, f"as {askers[kind.what]}", kind.use),
            (1, 2, kind.signer, "pending"),
            (2, 1, "approved", f"{len(RULES)} rules, by plan"),
            (3, 1, "signed", "only what is approved"),
            (1, 0, "certificate", received[kind.what]),
        )
        for start, end, above, below in messages:
            y += STEP
            _message(canvas, (lanes[start], lanes[end]), y, (above, below))
        y += STEP
    canvas.text((LEFT, high + 24), "The rules, all of which a request must keep:", "name")
    canvas.text((LEFT, high + 44), rules, "code")
    wide = max(lanes[-1] + width(PARTIES[-1], "name") / 2, LEFT + width(rules, "code")) + LEFT
    return canvas.svg((wide, high + 60))


def _message(canvas: Canvas, between: tuple[float, float], y: float, words: tuple[str, str]) -> None:
    start, end = between
    canvas.line([(start, y), (end + (2 if end < start else -2), y)], head=True)
    left = min(between) + 10
    canvas.text((left, y - 5), words[0], "code")
    canvas.text((left, y + 13), words[1], "small")
