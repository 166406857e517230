"""Another release for a lab that is up, through CVO: its images go to the lab's registry, ClusterVersion asks for it.

CVO takes a release image that nobody has signed only with `force`. It fetches the payload with a Job, applies what is
different, and then runs from the new image itself. The release has the version of the one before: operators compare
versions, and nothing but the images has changed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hardway.drive.client import Client, Object, Trouble
from hardway.drive.events import Event, Kind, Listener
from hardway.drive.observe import VERSION
from hardway.lab import releases
from hardway.lab.prepared import Prepared, Progress, repository, serve
from hardway.lab.reach import Reach, reach
from hardway.lab.releases import Known
from hardway.labrelease import release
from hardway.labrelease.checkouts.made import Made
from hardway.labrelease.checkouts.read import Checkout
from hardway.labrelease.release import Built
from hardway.model.errors import CheckError, ConfigError, ToolError
from hardway.tools.patience import Patience

SECONDS = 1200.0
PAUSE = 2.0
ANOTHER = (
    "`hardway lab release build --source NAME=DIR` prints the name of a release; "
    "`hardway lab up DIR --release RELEASE` starts a new lab with it"
)
UP = "bring the lab up with `hardway lab up`"


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """The release that ClusterVersion asks for now."""

    image: str
    known: Known

    @property
    def digest(self) -> str:
        return self.image.rpartition("@")[2]


def running(prepared: Prepared, api: Client) -> Running:
    """Of a cluster that was complete once: one that is broken by a component can be given a better one."""
    found, lab = api.get(VERSION), f"lab {prepared.paths.name}"
    if isinstance(found, Trouble):
        raise ToolError(f"{lab}: the cluster does not answer: {found}.\n    fix: {UP}")
    status = found.get("status") or {}
    if not any(row.get("state") == "Completed" for row in status.get("history") or ()):
        raise ToolError(f"{lab}: the cluster is not complete yet.\n    fix: {UP}")
    image = str((status.get("desired") or {}).get("image", ""))
    known = releases.find(prepared.paths, image.rpartition("@")[2])
    if known is None:
        raise ToolError(
            f"{lab}: the cluster runs {image}, a release that hardway did not make for it.\n"
            "    fix: set spec.desiredUpdate of ClusterVersion version back to a release of this lab"
        )
    return Running(image=image, known=known)


def demand(prepared: Prepared, now: Running, checkouts: Sequence[Checkout]) -> None:
    """Whether CVO, or an operator that it deploys, has any part in these components."""
    if now.known.chosen == "core":
        operators = any("core" not in checkout.kit.sets for checkout in checkouts)
        another = "`hardway lab up DIR --road operators`, and replace it there" if operators else ANOTHER
        raise ConfigError(
            f"lab {prepared.paths.name}: its control plane is hand-made, and CVO replaces nothing of it.\n"
            f"    fix: bring another lab up: {another}"
        )
    stays = [found for _, found in reaches(prepared, now, checkouts) if found.nothing]
    if stays:
        told = "; ".join(found.told for found in stays)
        raise ConfigError(
            f"lab {prepared.paths.name} cannot take this over. {told}.\n    fix: bring another lab up: {ANOTHER}"
        )


def reaches(prepared: Prepared, now: Running, checkouts: Sequence[Checkout]) -> list[tuple[Checkout, Reach]]:
    """What the lab takes over of each, with the operators that the release will have."""
    kits = (*(row.kit for row in now.known.made), *(row.kit for row in checkouts))
    operators = {*prepared.cluster.operators, *(name for kit in kits for name in kit.operators)}
    return [(checkout, reach(checkout.name, operators)) for checkout in checkouts]


def build(prepared: Prepared, now: Running, made: Sequence[Made], progress: Progress) -> Built:
    """The release that runs, with these components in place of its own or in addition, in the lab's registry."""
    every = {row.name: row for row in (*now.known.made, *made)}
    built = release.build(
        now.known.chosen, registry=repository(prepared.cluster), progress=progress, made=tuple(every.values())
    )
    if built.digest != now.digest:
        serve(prepared.paths, built, progress, besides=frozenset(now.known.images.values()))
        releases.keep(prepared.paths, built)
    return built


def changed(now: Running, built: Built) -> list[str]:
    """The images that are other ones than before, or new."""
    return sorted(name for name, digest in built.images.items() if now.known.images.get(name) != digest)


def ask(api: Client, built: Built) -> None:
    """Of CVO, by ClusterVersion."""
    wanted = {"image": built.pull_spec, "version": built.version, "force": True}
    answer = api.patch(VERSION, {"spec": {"desiredUpdate": wanted}})
    if isinstance(answer, Trouble):
        raise ToolError(f"ClusterVersion could not be changed: {answer}.\n    fix: run the same command again")


def follow(
    api: Client,
    built: Built,
    listener: Listener,
    *,
    sleep: Callable[[float], None] = time.sleep,
    limit: float = SECONDS,
) -> None:
    """Until CVO has applied all of it. What is not reached in time is a CheckError."""
    begun, patience, said = time.monotonic(), Patience(limit), ""

    def tell(kind: Kind, text: str) -> None:
        listener(Event(kind=kind, seconds=round(time.monotonic() - begun, 1), text=text))

    while True:
        found = api.get(VERSION)
        text = str(found) if isinstance(found, Trouble) else waits_for(found, built.pull_spec)
        if not text:
            tell("finished", "CVO has applied the release, and every Deployment of it runs")
            return
        if text != said:
            tell("trouble" if isinstance(found, Trouble) else "waiting", text)
            said = text
        if patience.ended():
            raise CheckError(
                f"the cluster has not reached {built.pull_spec}: {text}\n"
                "    fix: see what is stuck with `hardway lab kubectl get clusteroperators`, correct the "
                "component, and replace it again"
            )
        sleep(PAUSE)


def waits_for(version: Object, image: str) -> str:
    """What ClusterVersion still lacks, in CVO's words; nothing, if the release is complete."""
    status = version.get("status") or {}
    newest: Object = next(iter(status.get("history") or ()), {})
    said = {row.get("type"): row for row in status.get("conditions") or ()}
    if newest.get("image") == image:
        if newest.get("state") == "Completed":
            return ""
        failing = said.get("Failing", {})
        row = failing if failing.get("status") == "True" else said.get("Progressing", {})
        return str(row.get("message") or "CVO applies the release")
    accepted = said.get("ReleaseAccepted", {})
    return str(accepted.get("message") or "") if accepted.get("status") == "False" else "CVO fetches the release"
