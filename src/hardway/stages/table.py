"""The seventeen rows, under the numbers and names of the notes' progress table."""

from __future__ import annotations

from dataclasses import dataclass

from hardway.model.errors import ConfigError
from hardway.model.why import Why, because

NOTES = "source notes, progress table"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    number: str
    name: str
    title: str
    why: Why
    ready: bool = False  # whether it makes files in the cluster's folder
    command: str = ""  # what does the stage's work, if it makes no files

    @property
    def address(self) -> str:
        return f"stage/{self.number}-{self.name}"

    @property
    def run(self) -> str:
        """The command that does the stage's work."""
        return self.command or f"hardway build {self.number}"

    @property
    def label(self) -> str:
        return f"{self.number} {self.title}"


def _row(
    number: str, name: str, title: str, what: str, breaks: str, *, ready: bool = False, command: str = ""
) -> Stage:
    why = because(what, readers="you, and every stage after it", breaks=breaks, source=NOTES)
    return Stage(number=number, name=name, title=title, why=why, ready=ready, command=command)


TABLE: tuple[Stage, ...] = (
    _row(
        "01",
        "prerequisites",
        "Prerequisites",
        "The machine can carry the cluster that is planned.",
        "it fails late",
        command="hardway verify 01",
    ),
    _row(
        "02",
        "infrastructure",
        "Infrastructure",
        "Network, DNS, load balancer and machines stand where the plan says.",
        "nodes find neither each other nor the API",
        command="hardway infra status",
    ),
    _row(
        "03",
        "understanding",
        "Understanding what we build",
        "One install-config becomes a plan: every name, address and network, and a map of all that will be made.",
        "the later stages would each derive it again, and differ",
        ready=True,
    ),
    _row(
        "04",
        "release-image",
        "Release image and MCO's render",
        "The release's images and CRDs, and the node configuration that MCO renders.",
        "masters and workers have no operating-system layer",
        ready=True,
    ),
    _row("05", "pki", "PKI", "Every key, certificate and bundle.", "nobody can trust or prove anything", ready=True),
    _row(
        "06",
        "kubeconfigs",
        "Kubeconfigs",
        "Every client knows where to connect, as whom, and whom to trust.",
        "no component reaches the API server",
        ready=True,
    ),
    _row(
        "07",
        "static-pods",
        "Static pods and cluster manifests",
        "The control plane as pods that need no API server, and the objects the cluster starts from.",
        "there is no control plane, and operators find no configuration",
        ready=True,
    ),
    _row(
        "08",
        "ignition",
        "Ignition",
        "One complete file per node: all of the above, as a machine reads it at first boot.",
        "the machines boot empty",
        ready=True,
    ),
    _row(
        "09",
        "rhcos",
        "RHCOS installation",
        "Each machine boots its own Ignition.",
        "there are no nodes",
        command="hardway install --all",
    ),
    _row(
        "10",
        "bootstrap",
        "Bootstrap",
        "The temporary control plane runs and CVO syncs.",
        "masters have no API",
        command="hardway lab run 10",
    ),
    _row(
        "11",
        "masters",
        "Masters",
        "Masters join and their CSRs are approved by plan.",
        "nothing can be scheduled",
        command="hardway lab run 11",
    ),
    _row(
        "12",
        "control-plane",
        "Control plane on the masters",
        "etcd grows from one member to three, and every master serves the API.",
        "the cluster dies with the bootstrap node",
        command="hardway lab run 12",
    ),
    _row(
        "13",
        "pivot",
        "Pivot",
        "The bootstrap node leaves.",
        "the cluster depends on a temporary machine",
        command="hardway lab run 13",
    ),
    _row(
        "14",
        "workers",
        "Workers",
        "Workers boot.",
        "there is no place for workloads",
        command="hardway lab run 14",
    ),
    _row(
        "15",
        "worker-csrs",
        "Worker CSRs",
        "Workers' CSRs are approved by plan.",
        "workers never join",
        command="hardway lab run 15",
    ),
    _row(
        "16",
        "convergence",
        "Operator convergence",
        "Every operator reports Available.",
        "the cluster is half there",
        command="hardway lab run 16",
    ),
    _row(
        "17",
        "final-verification",
        "Final verification",
        "It works, seen from outside.",
        "nobody knows",
        command="hardway lab run 17",
    ),
)

BY_NUMBER = {stage.number: stage for stage in TABLE}


def find(text: str) -> Stage:
    """A stage by number, name, or both: 5, 05, pki, 05-pki, stage/05-pki."""
    wanted = text.removeprefix("stage/").lower()
    for stage in TABLE:
        if wanted in (stage.number, stage.number.lstrip("0"), stage.name, f"{stage.number}-{stage.name}"):
            return stage
    known = ", ".join(f"{s.number} {s.name}" for s in TABLE)
    raise ConfigError(f"there is no stage {text!r}.\n    fix: name one of: {known}")
