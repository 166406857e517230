"""A whole run of `hardway install`: the image, the media, the server and the machines."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from hardway.deliver.identity import context
from hardway.deliver.ledger import alone
from hardway.deliver.policy import DeliveryPolicy
from hardway.deliver.run import Delivery, Place, reachable
from hardway.deliver.server import Event, Server, listen
from hardway.libvirt.fleet import Fleet
from hardway.model.cluster import Node
from hardway.model.entropy import Entropy
from hardway.model.errors import ConfigError
from hardway.registry.access import Progress
from hardway.rhcos import images
from hardway.rhcos.console.read import Met, Reached
from hardway.rhcos.images import Image
from hardway.rhcos.install import Installation, jobs_for
from hardway.rhcos.media import OR_ISO, Maker, Method, ignition_file
from hardway.rhcos.medium import Medium
from hardway.rhcos.order import Wave
from hardway.rhcos.plan import Job
from hardway.rhcos.pxe import files
from hardway.rhcos.record import Record
from hardway.workspace.folder import Workspace

GIVE_ISO = "read the release with `hardway build 04`, or give its live ISO with --iso"
LONGEST = 10.0
"""How long a transfer that is under way may take to end, in seconds."""


class Say(Protocol):
    """Who is told what happens."""

    def image(self, image: Image) -> None: ...
    def medium(self, medium: Medium) -> None: ...
    def begun(self, wave: Wave, node: str) -> None: ...
    def console(self, node: str, event: Reached | Met) -> None: ...
    def request(self, event: Event) -> None: ...
    def ended(self, node: str, good: bool) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    method: Method
    iso: Path | None
    sha256: str
    place: Place
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    workspace: Workspace
    wishes: Wishes
    entropy: Entropy
    say: Say
    progress: Progress

    def jobs(self, fleet: Fleet, nodes: Sequence[Node], *, again: bool) -> list[Job]:
        return jobs_for(fleet, nodes, Record(self.workspace.store), again=again)

    def examine(self, nodes: Sequence[Node]) -> None:
        """What the media cannot be made without, all of it at once; nothing is fetched or written."""
        files: list[Callable[[], object]] = [partial(ignition_file, self.workspace, node) for node in nodes]
        found = []
        for look in (self._image_known, self._place_known, *files):
            try:
                look()
            except ConfigError as error:
                found.append(str(error))
        if found and nodes:
            raise ConfigError("\n".join(found))

    def _image_known(self) -> None:
        if not self.wishes.iso:
            images.required(images.stream_in(self.workspace.store.root), GIVE_ISO)

    def _place_known(self) -> None:
        if self.wishes.method in ("server", "pxe"):
            reachable(self.wishes.place, OR_ISO)

    def media(self, nodes: Sequence[Node], waiting: Sequence[str] = ()) -> tuple[dict[str, Medium], Delivery | None]:
        """A medium for each machine, and what is to be served to those that have to fetch."""
        if not nodes and not waiting:
            return {}, None
        self.examine(nodes)
        made: dict[str, Medium] = {}
        maker = self._maker(self.image() if nodes else _NOTHING)
        tell = _noting(made, self.say.medium)
        left = list(nodes) if self.wishes.method == "server" else maker.whole(nodes, self.wishes.method, tell)
        delivery = maker.fetching(left, tell, waiting=waiting) if left or waiting else None
        return made, delivery

    def install(self, jobs: Sequence[Job]) -> None:
        new = [job.machine.node for job in jobs if job.new]
        waiting = [j.name for j in jobs if j.fate == "under way" and j.entry and j.entry.way == "server"]
        media, delivery = self.media(new, waiting)
        installation = Installation(
            store=self.workspace.store,
            record=Record(self.workspace.store),
            media=media,
            entropy=self.entropy,
            seconds=self.wishes.seconds,
            begun=self.say.begun,
            tell=self.say.console,
            ended=self.say.ended,
        )
        longest = self.wishes.seconds * len(jobs)
        with serving(self.workspace, delivery, self.entropy, longest, self.say.request):
            installation.run(jobs)

    def network_boot(self, nodes: Sequence[Node], base: str) -> list[str]:
        """The files of a network boot; their paths below assets."""
        cluster, store = self.workspace.loaded.cluster, self.workspace.store
        self.examine(nodes)
        if self.wishes.iso:
            initramfs = files.from_iso(store, self.image())
        else:
            stream = images.required(images.stream_in(store.root), GIVE_ISO)
            initramfs = files.from_stream(store, cluster, stream, self.progress)
            self.say.image(initramfs)
        self._maker(initramfs).fetching(nodes, self.say.medium, kind="pxe")
        return files.write(store, cluster, nodes, base)

    def image(self) -> Image:
        """The live ISO: the user's, or the release's."""
        cluster, known = self.workspace.loaded.cluster, images.stream_in(self.workspace.store.root)
        if self.wishes.iso:
            image = images.given(self.wishes.iso, known, self.wishes.sha256, cluster.architecture)
        else:
            artifact = images.required(known, GIVE_ISO).artifact("metal", "iso", architecture=cluster.architecture)
            image = images.fetch(artifact, images.access_for(cluster), self.progress)
        self.say.image(image)
        return image

    def _maker(self, image: Image) -> Maker:
        return Maker(workspace=self.workspace, image=image, place=self.wishes.place, entropy=self.entropy)


_NOTHING = Image(path=Path(), sha256="", release="", checked=False)
"""No medium is made from it: the machines that wait have theirs."""


def _noting(made: dict[str, Medium], told: Callable[[Medium], None]) -> Callable[[Medium], None]:
    def note(medium: Medium) -> None:
        made[medium.node] = medium
        told(medium)

    return note


@contextmanager
def serving(
    workspace: Workspace, delivery: Delivery | None, entropy: Entropy, seconds: float, tell: Callable[[Event], None]
) -> Iterator[None]:
    """The one-time server, while the machines are installed; nothing listens if none of them has to fetch."""
    if delivery is None or not delivery.left:
        yield
        return
    with alone(workspace.store):
        policy = DeliveryPolicy(delivery.parcels, delivery.ledger, entropy)
        server = Server(policy, context(delivery.identity), entropy, tell)
        listener = listen(delivery.place.address, delivery.place.port)
        thread = threading.Thread(target=server.serve, args=(listener, seconds), daemon=True)
        thread.start()
        try:
            yield
        finally:
            policy.finished.set()
            thread.join(LONGEST)
