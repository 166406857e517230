"""Every signer with what it signs, and the bundles that trust it; family by family, in columns of like height."""

from __future__ import annotations

from dataclasses import dataclass

from hardway.explain.pictures.canvas import Canvas, width
from hardway.model.cluster import Cluster
from hardway.pki import bundles
from hardway.pki.families import rows
from hardway.pki.row import FAMILIES, Cert

LINE, GAP, PAD, COLUMNS = 19, 16, 12, 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """A signer, the certificates that it signs, and the bundles that have it."""

    signer: Cert
    leaves: tuple[str, ...]
    trusted: tuple[str, ...]

    @property
    def height(self) -> float:
        return PAD * 2 + LINE * (2 + len(self.leaves) + len(self.trusted))


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
        description="; ".join(f"{tree.signer.name} signs {', '.join(tree.leaves) or 'nothing yet'}" for tree in found),
    )
    share = sum(tree.height + GAP for tree in found) / COLUMNS
    at, y, lowest = 0, float(GAP), 0.0
    for index, tree in enumerate(found):
        if at < COLUMNS - 1 and index and y + tree.height / 2 > share:
            at, y = at + 1, float(GAP)
        _draw(canvas, tree, GAP + at * (column + GAP), y, column)
        y += tree.height + GAP
        lowest = max(lowest, y)
    return canvas.svg((GAP + COLUMNS * (column + GAP), lowest))


def _draw(canvas: Canvas, tree: Tree, x: float, y: float, column: float) -> None:
    canvas.box((x, y), (column, tree.height))
    line = y + PAD + 12
    canvas.text((x + PAD, line), tree.signer.name, "code")
    canvas.text((x + PAD, line + LINE), f"{tree.signer.family} · signs itself · {tree.signer.lifetime}", "small")
    line += LINE
    for leaf in tree.leaves:
        canvas.line([(x + PAD + 6, line + 4), (x + PAD + 6, line + LINE - 4), (x + PAD + 18, line + LINE - 4)])
        line += LINE
        canvas.text((x + PAD + 24, line), leaf, "code")
    for bundle in tree.trusted:
        line += LINE
        canvas.text((x + PAD, line), f"trusted in {bundle}", "small")
