"""The map of the territory: every artifact of this cluster and its reason, stage by stage."""

from __future__ import annotations

from collections.abc import Iterable

from hardway.graph.asset import Asset, Given
from hardway.model.why import because

HANDS = """\
- **By hand**: etcd, kube-apiserver, controller-manager, scheduler, CVO, PKI, kubeconfigs, RBAC, cluster CRs, Ignition.
  This is where understanding is.
- **Rendered by MCO**: kubelet and CRI-O units, OVS bridges, SELinux, node IP detection.
  Operating-system plumbing, tied to the release.
- **Deployed by CVO**: network, ingress, authentication, console, monitoring and the other operators.
  They manage themselves once the core stands.
"""


def atlas(assets: Iterable[Asset], titles: dict[str, str]) -> Asset:
    text = _text(list(assets), titles)
    return Asset(
        address="plan/map",
        stage="03",
        path="plan/map.md",
        mode=0o600,
        kind="derived",
        make=_make,
        params=text,
        why=because(
            "Every file that will be made, stage by stage, and why.",
            readers="you",
            breaks="the files of the later stages have no overview",
            source="the tables that the files are made from",
        ),
    )


def _make(given: Given) -> bytes:
    text: str = given.params
    return text.encode()


def _text(assets: list[Asset], titles: dict[str, str]) -> str:
    parts = ["# What we are building\n", HANDS]
    for stage, title in titles.items():
        rows = [a for a in assets if a.stage == stage]
        if rows:
            lines = [f"| `{a.path}` | `{a.address}` | {a.why.what} |" for a in rows]
            parts.append(
                "\n".join([f"## {stage} {title}\n", "| file | address | why |", "|---|---|---|", *lines]) + "\n"
            )
    return "\n".join(parts)
