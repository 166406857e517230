"""The seventeen stages as nouns, with their numbers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class StageName:
    number: str
    name: str
    title: str

    @property
    def address(self) -> str:
        return f"stage/{self.number}-{self.name}"

    @property
    def label(self) -> str:
        return f"{self.number} {self.title}"


_NAMES = {
    "prerequisites": "Prerequisites",
    "infrastructure": "Infrastructure",
    "understanding": "Understanding what we build",
    "release-image": "Release image and MCO's render",
    "pki": "PKI",
    "kubeconfigs": "Kubeconfigs",
    "static-pods": "Static pods and cluster manifests",
    "ignition": "Ignition",
    "rhcos": "RHCOS installation",
    "bootstrap": "Bootstrap",
    "masters": "Masters",
    "control-plane": "Control plane on the masters",
    "pivot": "Pivot",
    "workers": "Workers",
    "worker-csrs": "Worker CSRs",
    "convergence": "Operator convergence",
    "final-verification": "Final verification",
}

NAMES: dict[str, StageName] = {
    f"{number:02}": StageName(number=f"{number:02}", name=name, title=title)
    for number, (name, title) in enumerate(_NAMES.items(), 1)
}
"""By number, in order."""


def number(name: str) -> int:
    """A stage's place in the order."""
    return next(int(stage.number) for stage in NAMES.values() if stage.name == name)
