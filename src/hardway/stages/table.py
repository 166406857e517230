"""THE STAGES: what each makes, what looks at it, what it reaches, and the commands that run it."""

from __future__ import annotations

from hardway.lines.sources import source
from hardway.model.errors import ConfigError
from hardway.model.why import Why, because
from hardway.stages.row import Stage
from hardway.workspace.names import CRDS, MCO, RELEASE

UPI = source("installer", "docs/user/metal/install_upi.md")


def _why(what: str, breaks: str) -> Why:
    return because(what, readers="you, and every stage after it", breaks=breaks, source=UPI)


TABLE: tuple[Stage, ...] = (
    Stage(
        number="01",
        work="examine",
        looks=("host", "lab"),
        machines="hardway verify 01",
        about="what the machine must have for the cluster you plan",
        why=_why("This machine meets the requirements of the planned cluster.", "it fails late"),
    ),
    Stage(
        number="02",
        work="infrastructure",
        looks=("dns", "ports", "haproxy"),
        machines="hardway infra up",
        status="hardway infra status",
        about="names, a load balancer and machines: what OpenShift expects to find",
        why=_why(
            "Network, DNS, load balancer and machines are set up as planned.",
            "nodes find neither each other nor the API",
        ),
    ),
    Stage(
        number="03",
        work="build",
        makes=("plan", "id", "password", "hash", "metadata"),
        looks=("files",),
        machines="hardway build 03",
        colour="#dde8f0",
        about="install-config, the three networks, what a cluster is made of, how it boots",
        why=_why(
            "One install-config becomes a plan: every name, address and network, and a map of all that will be made.",
            "each later stage would derive it again, and the results would differ",
        ),
    ),
    Stage(
        number="04",
        work="build",
        brings=(RELEASE, CRDS, MCO),
        looks=("files",),
        machines="hardway build 04",
        about="one image that names all others, and the operating-system layer of the nodes",
        why=_why(
            "The release's images and CRDs, and the node configuration that MCO renders.",
            "masters and workers have no operating-system layer",
        ),
    ),
    Stage(
        number="05",
        work="build",
        makes=("key", "cert", "pub", "bundle"),
        looks=("files",),
        machines="hardway build 05",
        colour="#f6e3c5",
        about="thirteen independent signers, and what each of them is for",
        why=_why("Every key, certificate and bundle.", "no component can prove its identity or verify another one"),
    ),
    Stage(
        number="06",
        work="build",
        makes=("kubeconfig",),
        looks=("files",),
        machines="hardway build 06",
        colour="#e2f0d9",
        about="the server, the identity and the trusted CA of each client",
        why=_why(
            "Every client knows its server, its identity and the CA to trust.", "no component reaches the API server"
        ),
    ),
    Stage(
        number="07",
        work="build",
        makes=("pod", "manifest"),
        looks=("files",),
        machines="hardway build 07",
        colour="#f3d9e5",
        about="a control plane that needs no control plane, and the objects it starts from",
        why=_why(
            "The control plane as pods that need no API server, and the objects the cluster starts from.",
            "there is no control plane, and operators find no configuration",
        ),
    ),
    Stage(
        number="08",
        work="build",
        makes=("ignition",),
        looks=("files",),
        machines="hardway build 08",
        colour="#e4dcf1",
        about="all of it as one file per machine",
        why=_why(
            "One complete file per node: all of the above, as a machine reads it at first boot.",
            "the machines boot empty",
        ),
    ),
    Stage(
        number="09",
        work="install",
        machines="hardway install --all",
        about="one image, a separate medium for each machine, and a console that is watched",
        why=_why("Each machine boots its own Ignition.", "there are no nodes"),
    ),
    Stage(
        number="10",
        work="drive",
        about="a control plane from files, on a temporary machine",
        why=_why("The temporary control plane runs and CVO syncs.", "masters have no API"),
    ),
    Stage(
        number="11",
        work="drive",
        about="two requests for each node, and who may approve them",
        why=_why("Masters join and their CSRs are approved by plan.", "no pod can be scheduled"),
    ),
    Stage(
        number="12",
        work="drive",
        about="etcd grows from 1 to 4; API servers start on masters; bootstrap complete",
        why=_why(
            "etcd grows from one member to three, and every master serves the API.",
            "the cluster stops with the bootstrap node",
        ),
    ),
    Stage(
        number="13",
        work="drive",
        about="four steps in order, without a lost request",
        why=_why("The bootstrap node leaves.", "the cluster depends on a temporary machine"),
    ),
    Stage(
        number="14",
        work="drive",
        about="machines that have no key of the control plane",
        why=_why("Workers boot.", "there is no place for workloads"),
    ),
    Stage(
        number="15",
        work="drive",
        about="the requests that no controller approves",
        why=_why("Workers' CSRs are approved by plan.", "workers never join"),
    ),
    Stage(
        number="16",
        work="drive",
        about="what operators report, and how CVO completes",
        why=_why("Every operator reports Available.", "the cluster is incomplete"),
    ),
    Stage(
        number="17",
        work="final",
        looks=("live",),
        about="using the cluster from outside, and removing it",
        why=_why("The cluster works, seen from outside.", "nobody knows"),
    ),
)

BY_NUMBER = {stage.number: stage for stage in TABLE}
BUILT = tuple(stage for stage in TABLE if stage.work == "build")


def find(text: str) -> Stage:
    """A stage by number, name, or both: 5, 05, pki, 05-pki, stage/05-pki."""
    wanted = text.removeprefix("stage/").lower()
    for stage in TABLE:
        if wanted in (stage.number, stage.number.lstrip("0"), stage.name, f"{stage.number}-{stage.name}"):
            return stage
    known = ", ".join(f"{s.number} {s.name}" for s in TABLE)
    raise ConfigError(f"stage {text!r} not found.\n    fix: name one of: {known}")


def after(stage: Stage) -> Stage | None:
    return BY_NUMBER.get(f"{int(stage.number) + 1:02}")
