"""Every signer with what it signs, and the bundles that trust it; family by family, in columns of like height."""

from __future__ import annotations

from dataclasses import dataclass

from hardway.explain.pictures.canvas import Canvas, width
from hardway.model.cluster import Cluster
from hardway.pki import bundles
from hardway.pki.families import rows
from hardway.pki.row import FAMILIES, Cert

LINE, GAP, PAD, HEAD, COLUMNS = 19, 16, 12, 24, 3
NOTHING = "signs nothing before the cluster runs"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """A signer, the certificates that it signs, and the bundles that have it."""

    signer: Cert
    leaves: tuple[str, ...]
    trusted: tuple[str, ...]

    @property
    def height(self) -> float:
        return PAD * 2 + LINE * (2 + (len(self.leaves) or 1) + len(self.trusted))

    @property
    def lifetime(self) -> str:
        kind = self.signer.lifetime
        return kind if kind[:1].isdigit() else f"{kind}-lived"


def trees(cluster: Cluster) -> list[Tree]:
    """In the order of the families."""
    order = list(FAMILIES)
    known = sorted(rows(cluster), key=lambda row: order.index(row.family))
    return [
        Tree(
            signer=signer,
            leaves=tuple(
                f"{row.name} × {len(cluster.masters) + 1}" if row.per_etcd_node else row.name
                for row in known
                if row.signer == signer.name
            ),
            trusted=tuple(bundle.name for bundle in bundles.TABLE if signer.name in bundle.signers),
        )
        for signer in known
        if signer.is_ca
    ]


def picture(cluster: Cluster) -> str:
    found = trees(cluster)
    names = [name for tree in found for name in (tree.signer.name, *tree.leaves, *tree.trusted)]
    column = max(width(name, "code") for name in names) + 2 * PAD + 24
    canvas = Canvas(
        title=f"The {len(found)} trees of trust",
        description="; ".join(
            f"{tree.signer.name} signs {', '.join(tree.leaves) or 'nothing before the cluster runs'}" for tree in found
        ),
    )
    families = len({tree.signer.family for tree in found}) + COLUMNS - 1
    share = (sum(tree.height + GAP for tree in found) + families * HEAD) / COLUMNS
    at, y, lowest, family = 0, float(GAP), 0.0, ""
    for index, tree in enumerate(found):
        if at < COLUMNS - 1 and index and y + tree.height / 2 > share:
            at, y, family = at + 1, float(GAP), ""
        x = GAP + at * (column + GAP)
        if tree.signer.family != family:
            family = tree.signer.family
            canvas.text((x, y + 12), f"family {family}", "name")
            y += HEAD
        _draw(canvas, tree, x, y, column)
        y += tree.height + GAP
        lowest = max(lowest, y)
    return canvas.svg((GAP + COLUMNS * (column + GAP), lowest))


def _draw(canvas: Canvas, tree: Tree, x: float, y: float, column: float) -> None:
    canvas.box((x, y), (column, tree.height))
    line = y + PAD + 12
    canvas.text((x + PAD, line), tree.signer.name, "code")
    canvas.text((x + PAD, line + LINE), f"signs itself · {tree.lifetime}", "small")
    line += LINE
    for leaf in tree.leaves:
        canvas.line([(x + PAD + 6, line + 4), (x + PAD + 6, line + LINE - 4), (x + PAD + 18, line + LINE - 4)])
        line += LINE
        canvas.text((x + PAD + 24, line), leaf, "code")
    if not tree.leaves:
        line += LINE
        canvas.text((x + PAD, line), NOTHING, "small")
    for bundle in tree.trusted:
        line += LINE
        canvas.text((x + PAD, line), f"trusted in {bundle}", "small")
