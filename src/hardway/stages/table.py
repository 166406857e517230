"""THE STAGES: what each makes, what looks at it, what it reaches, and the commands that run it."""

from __future__ import annotations

from hardway.lines.sources import source
from hardway.model.errors import ConfigError
from hardway.model.why import Why, because
from hardway.stages.row import Stage
from hardway.workspace.names import CRDS, MCO, RELEASE

UPI = source("installer", "docs/user/metal/install_upi.md")


def _why(what: str, breaks: str, readers: str) -> Why:
    return because(what, readers=readers, breaks=breaks, source=UPI)


TABLE: tuple[Stage, ...] = (
    Stage(
        number="01",
        work="examine",
        looks=("host", "lab"),
        machines="hardway verify 01",
        about="what the machine must have for the cluster you plan",
        why=_why(
            "This machine meets the requirements of the planned cluster.",
            "the installation fails hours later, because of a machine that is too small or lacks a program",
            "you, before you choose machines and their sizes",
        ),
    ),
    Stage(
        number="02",
        work="infrastructure",
        looks=("dns", "ports", "haproxy", "mirrors"),
        machines="hardway infra up",
        status="hardway infra status",
        about="names, a load balancer and machines: what OpenShift expects to find",
        why=_why(
            "Network, DNS, load balancer and machines are set up as planned.",
            "nodes find neither each other nor the API",
            "every node, from its first boot; you, when you use the API",
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
            "Makes the plan from install-config: every name, address and network, and a map of all files that will be "
            "made.",
            "later stages have no names and addresses to build with",
            "stages 05 to 08, which take every name and address from it",
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
            "Reads the release: its images, its CRDs, and the node configuration that MCO renders from it.",
            "masters and workers have no operating-system layer",
            "stage 08, for masters and workers; from stage 10 on, the nodes, which run its images",
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
        why=_why(
            "Makes every key, certificate and CA bundle.",
            "no component can prove its identity or verify another one",
            "stages 06 to 08, which distribute it; every component that uses TLS",
        ),
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
            "Makes a kubeconfig for each client: its server, its identity and the CA that it trusts.",
            "no component reaches the API server",
            "the control plane, the kubelets, and you with auth/kubeconfig",
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
            "Makes the control plane as static pods, which need no API server, and the objects that the cluster "
            "starts from.",
            "there is no control plane, and operators find no configuration",
            "stage 08, which puts them into bootstrap.ign; the operators, which start from these objects",
        ),
    ),
    Stage(
        number="08",
        work="build",
        makes=("key", "pub", "ignition"),
        looks=("files",),
        machines="hardway build 08",
        colour="#e4dcf1",
        about="all of it as one file per machine",
        why=_why(
            "Makes one Ignition file per machine, with everything that the machine needs at its first boot.",
            "machines boot without a configuration",
            "Ignition, at the first boot of each machine (stage 09)",
        ),
    ),
    Stage(
        number="09",
        work="install",
        machines="hardway install --all",
        status="hardway install --all --dry-run",
        about="one image, a separate medium for each machine, and a console that is watched",
        why=_why(
            "Installs RHCOS on each machine, with the machine's own Ignition file.",
            "machines have no operating system",
            "stage 10, which starts with installed machines",
        ),
    ),
    Stage(
        number="10",
        work="drive",
        machines="hardway run 10",
        about="a control plane from files, on a temporary machine",
        why=_why(
            "Starts the temporary control plane on the bootstrap node; the cluster-version operator applies the "
            "release.",
            "masters have no API server to join",
            "the masters (stage 11), which join through its API",
        ),
    ),
    Stage(
        number="11",
        work="drive",
        machines="hardway run 11",
        about="two requests for each node, and who may approve them",
        why=_why(
            "Masters boot and join; their certificate requests are approved if they agree with the plan.",
            "the cluster has no nodes, and no pod can be scheduled",
            "stage 12, which starts the control plane on these nodes",
        ),
    ),
    Stage(
        number="12",
        work="drive",
        machines="hardway run 12",
        about="etcd grows from 1 to 4; API servers start on masters; bootstrap complete",
        why=_why(
            "etcd gets a member on each master (it grows from 1 to 4 with three masters), and each master starts an "
            "API "
            "server.",
            "the cluster stops when the bootstrap node does",
            "stage 13: the bootstrap node can leave only after this",
        ),
    ),
    Stage(
        number="13",
        work="drive",
        machines="hardway run 13",
        about="four steps in order, without a lost request",
        why=_why(
            "Removes the bootstrap node: from the load balancer, from etcd (from 4 members to 3), and the machine "
            "itself.",
            "the cluster still depends on a temporary machine",
            "every client of the API: only masters answer from now on",
        ),
    ),
    Stage(
        number="14",
        work="drive",
        machines="hardway run 14",
        about="machines that have no key of the control plane",
        why=_why(
            "Workers boot, and their kubelets request certificates.",
            "no node runs workloads, routers included",
            "stage 15, which approves what their kubelets request",
        ),
    ),
    Stage(
        number="15",
        work="drive",
        machines="hardway run 15",
        about="the requests that no controller approves",
        why=_why(
            "Workers join: their certificate requests are approved if they agree with the plan.",
            "workers never join",
            "stage 16: routers and other workloads run on workers",
        ),
    ),
    Stage(
        number="16",
        work="drive",
        machines="hardway run 16",
        about="what operators report, and how CVO completes",
        why=_why(
            "Waits until every operator reports Available and the cluster-version operator has completed.",
            "parts of the cluster are still missing",
            "stage 17, and everyone who uses the cluster",
        ),
    ),
    Stage(
        number="17",
        work="final",
        machines="hardway run 17",
        looks=("live",),
        about="using the cluster from outside, and removing it",
        why=_why(
            "Uses the cluster from outside: nodes, etcd, certificates, names, a Service, logs.",
            "a defect that no operator reports stays undetected",
            "everyone who uses the cluster",
        ),
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
