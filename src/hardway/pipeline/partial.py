"""What a stage lacks although everything that could be made was made: machines without an Ignition file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardway.model.cluster import Cluster
from hardway.stages.table import find

IGNITION, RELEASE = find("ignition"), find("release-image")


@dataclass(frozen=True, slots=True, kw_only=True)
class Partial:
    """Read from the files themselves, so that it is true of a folder that something else has filled."""

    stage: str
    have: tuple[str, ...]
    missing: tuple[str, ...]

    @property
    def reason(self) -> str:
        machines = len(self.have) + len(self.missing)
        verb = "has" if len(self.have) == 1 else "have"
        return f"{len(self.have)} of {machines} machines {verb} Ignition; the others need MCO's render: `{RELEASE.run}`"

    def as_dict(self) -> dict[str, Any]:
        return {"stage": self.stage, "have": list(self.have), "missing": list(self.missing), "reason": self.reason}


def partial(cluster: Cluster, root: Path) -> Partial | None:
    """None if no machine lacks its file, or all do: then the stage is not built."""
    have = tuple(node.name for node in cluster.nodes if (root / f"{node.name}.ign").is_file())
    missing = tuple(node.name for node in cluster.nodes if node.name not in have)
    return Partial(stage=IGNITION.number, have=have, missing=missing) if have and missing else None
