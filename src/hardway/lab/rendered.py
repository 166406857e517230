"""The rendered road: the bootstrap node runs bootkube's stages by itself; the lab watches, and can run one alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from hardway.bootkube.operators.row import OPT
from hardway.bootkube.row import Stage
from hardway.bootkube.script import PATH
from hardway.bootkube.table import BY_NAME, chosen
from hardway.drive.events import Event
from hardway.drive.live import ETCD_BY_OPERATOR, ETCD_FILES
from hardway.io import rooted
from hardway.lab import node as machine
from hardway.lab.prepared import Prepared
from hardway.model.cluster import Cluster
from hardway.model.errors import ConfigError, ToolError
from hardway.render import trust
from hardway.tools.patience import Patience
from hardway.tools.run import follow
from hardway.workspace.folder import open_workspace

if TYPE_CHECKING:
    from hardway.lab.up import Watch

LAST = BY_NAME["cb-bootstrap"]  # what comes after it waits for masters, and is stage 12's
ETCD = BY_NAME["etcd-bootstrap"]
STAGE = "10"
UNIT = "bootkube.service"
SAID = "bootkube: "  # before every line of the script
SECONDS = 1800.0  # in which the script says nothing new
RESTARTS = 5
PAUSE = 1.0


def bootstrap(prepared: Prepared, watch: Watch) -> None:
    """Until the temporary control plane runs and every manifest is created. The node does it by itself."""
    node, begun = prepared.cluster.bootstrap.name, time.monotonic()

    def tell(text: str) -> None:
        seconds = round(time.monotonic() - begun, 1)
        watch.listener(Event(kind="acted", seconds=seconds, stage=STAGE, text=text, node=node))

    trust.demand(open_workspace(prepared.folder))
    if not prepared.machines.running(node):
        tell(f"{node} is switched on")
        prepared.machines.start(node)
    told: set[str] = set()
    heard, patience = "", Patience(SECONDS)
    while not is_done(prepared, LAST):
        said = prepared.machines.run(node, ["journalctl", f"--unit={UNIT}", "--no-pager", "--output=cat"]).output
        if said != heard:
            heard, patience = said, Patience(SECONDS)
        for stage in chosen(last=LAST):
            if stage.name not in told and f"{SAID}{stage.title}: begins" in heard:
                told.add(stage.name)
                tell(f"bootkube {stage.title}")
        shown = prepared.machines.run(node, ["systemctl", "show", "--property=NRestarts", "--value", UNIT])
        if patience.ended() or int(shown.output.strip() or 0) >= RESTARTS:
            why = f"said nothing new for {SECONDS:.0f} s" if patience.ended() else f"failed {RESTARTS} times"
            fix = f"repair what it says; `hardway lab exec {node} -- systemctl restart {UNIT}` goes on at that stage"
            raise ToolError(f"{node}: {UNIT} has {why}. Its last words:\n{_end(heard)}\n    fix: {fix}")
        time.sleep(PAUSE)
    keep_access(prepared)


def _end(text: str, count: int = 5) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines()[-count:]) or "    (nothing)"


def run(prepared: Prepared, stages: Sequence[Stage], hear: Callable[[str], None], *, again: bool = False) -> None:
    """These stages by the node's own script, one after the other; what it says is heard line by line."""
    trust.demand(open_workspace(prepared.folder))
    node = prepared.cluster.bootstrap.name
    words = [PATH, *(["--again"] if again else []), *(stage.name for stage in stages)]
    done = follow(machine.command(prepared.paths, node, words), line=lambda text: hear(text.removeprefix(SAID)))
    if not done.ok:
        raise ToolError(f"{PATH} on {node}: exit code {done.code}; it says above why.\n    fix: run this again")
    if ETCD in stages:
        keep_access(prepared)


def is_done(prepared: Prepared, stage: Stage) -> bool:
    if not stage.marker:
        return False
    with _below(prepared, f"{OPT}/{stage.marker}") as (root, path):
        return rooted.real(root, path).exists()


def keep_access(prepared: Prepared) -> None:
    """The etcd operator has made a PKI of its own: whoever drives needs the client pair that it made."""
    store = open_workspace(prepared.folder).store
    for name in ETCD_FILES:
        with _below(prepared, f"{OPT}/tls/{name}") as (root, path):
            content = rooted.read(root, path)
        store.write(f"{ETCD_BY_OPERATOR}/{name}", content, 0o600)


@contextmanager
def _below(prepared: Prepared, path: str) -> Iterator[tuple[Path, str]]:
    """The node's root on this machine. The node writes to it as well: its links lead nowhere else."""
    root = prepared.paths.node(prepared.cluster.bootstrap.name) / "root"
    try:
        yield root, path
    except OSError as error:
        raise ToolError(f"{root}{path}: {error.strerror}.\n    fix: see on the node what has made it so") from None


def demand_road(folder: Path, cluster: Cluster) -> None:
    """For a stage that is to be run alone."""
    if cluster.road != "rendered":
        raise ConfigError(
            f"{folder}: bootkube's stages run only on `road: rendered`, and this cluster has `road: {cluster.road}`.\n"
            "    fix: bring a lab up with `hardway lab up DIR --road rendered`; --list and --explain need none"
        )


def demand_node(prepared: Prepared) -> None:
    node = prepared.cluster.bootstrap.name
    if not prepared.machines.running(node):
        raise ToolError(
            f"lab {prepared.paths.name}: {node} is not running.\n    fix: bring the lab up with `hardway lab up`"
        )
