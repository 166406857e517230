"""What a lab that is up takes over of a component's new programs. CVO reaches every Deployment of the release, and an
operator the static pods that it makes. What nodes were made with, nobody replaces."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A program that runs outside of CVO's Deployments."""

    component: str
    program: str
    why: str  # it stays as it is, where no operator makes it
    operator: str = ""  # the one that makes it, if the lab has it


POD = "its static pod is made by hand"
NODE = "it is part of the nodes"
PARTS = (
    Part(component="etcd", program="etcd", operator="etcd", why=POD),
    Part(component="kubernetes", program="kube-apiserver", operator="kube-apiserver", why=POD),
    Part(component="kubernetes", program="kube-controller-manager", operator="kube-controller-manager", why=POD),
    Part(component="kubernetes", program="kube-scheduler", operator="kube-scheduler", why=POD),
    Part(component="kubernetes", program="kube-proxy", why=POD),
    Part(component="kubernetes", program="kubelet", why=NODE),
    Part(
        component="cluster-policy-controller",
        program="cluster-policy-controller",
        operator="kube-controller-manager",
        why=POD,
    ),
    Part(component="kube-rbac-proxy", program="kube-rbac-proxy", why=NODE),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    rolled: tuple[Part, ...]  # out by their operators
    kept: tuple[Part, ...]  # as they are

    @property
    def nothing(self) -> bool:
        return bool(self.kept) and not self.rolled

    @property
    def told(self) -> str:
        """Why programs stay as they are."""
        reasons: dict[str, list[str]] = {}
        for part in self.kept:
            reasons.setdefault(part.why, []).append(part.program)
        return "; ".join(f"{', '.join(names)}: {why}" for why, names in reasons.items())


def reach(component: str, operators: Collection[str]) -> Reach:
    """With these operators in the lab."""
    rows = [part for part in PARTS if part.component == component]
    rolled = tuple(part for part in rows if part.operator in operators)
    return Reach(rolled=rolled, kept=tuple(part for part in rows if part not in rolled))
