"""The lab release in real registries: packed once, unpacked once, served in several ways."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest
import yaml

from hardway.bootkube.operators import table as operators
from hardway.lab import registry_storage
from hardway.labrelease import push as release_push
from hardway.labrelease import release
from hardway.labrelease.images import table as images
from hardway.labrelease.images.table import Set
from hardway.labrelease.push import Target
from hardway.tools.run import run
from tests.support.clusters import install_config
from tests.support.registry import server as registry
from tests.support.shared_folder import of_this_run, remove, shared
from tests.support.trees import write_folder

REPOSITORY = "hardway"


@dataclass(frozen=True)
class Served:
    """A registry that has the lab release."""

    host: str
    built: release.Built

    @property
    def settings(self) -> dict[str, Any]:
        """hardway.yaml of a cluster that is made of it, over plain HTTP."""
        return {"release": self.built.pull_spec, "insecureRegistries": [self.host]}


class Releases:
    """Registries over one storage: what was pushed to one, all have."""

    def __init__(self, stack: ExitStack, folder: Path) -> None:
        self._stack = stack
        self._folder = folder
        self._count = 0

    def serve(
        self, target: Callable[[str], Target], *, names: str = "", chosen: Set = "core", **sections: Any
    ) -> Served:
        """A registry with these settings, and the release for it; `target` says how to push to a host, `names` is
        what its images are called under, if that is not the registry itself."""
        self._count += 1
        place = self._folder / f"registry-{self._count}"
        storage = self._folder / "storage"
        found = self._stack.enter_context(registry.serving(place, storage, **sections))
        here = f"{found.host}/{REPOSITORY}"
        built = release.build(chosen, registry=names or here)
        registry_storage.seed(storage, built.folder, REPOSITORY)
        release_push.push(replace(built, repository=here), target(found.host))
        return Served(found.host, built)

    @cached_property
    def plain(self) -> Served:
        """Over plain HTTP, for everybody."""
        return self.serve(lambda _: Target(insecure=True))

    @cached_property
    def operators(self) -> Served:
        """The same with the release that has operators."""
        return self.serve(lambda _: Target(insecure=True), chosen="operators")


@contextmanager
def releases(factory: pytest.TempPathFactory) -> Iterator[Releases]:
    """Registries of one's own; podman's storage is the test run's, with the images that render, and nothing stays."""
    with (
        shared(of_this_run(factory) / "podman", _unpack) as store,
        tempfile.TemporaryDirectory(prefix="hardway-release-") as scratch,
        ExitStack() as stack,
        stored_in(store),
    ):
        yield Releases(stack, Path(scratch))


def _unpack(folder: Path) -> None:
    """Every image that renders. Whatever a test's registry calls them, podman finds that it has their layers."""
    built = release.build("operators")
    wanted = {row.image for row in operators.TABLE} & {row.name for row in images.of("operators")}
    store = f"overlay@{folder}/images+{folder}/run"
    for name in (release.RELEASE, *sorted(wanted)):
        target = f"containers-storage:[{store}]localhost/{name}:1"
        run(["skopeo", "--insecure-policy", "copy", "--quiet", f"oci:{built.folder}:{name}", target])


@contextmanager
def stored_in(folder: Path) -> Iterator[None]:
    """podman keeps its images there, here and in every program that is started meanwhile."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CONTAINERS_STORAGE_CONF", str(storage_conf(folder)))
        yield


def storage_conf(folder: Path) -> Path:
    """The file that tells podman to keep its images in this folder."""
    storage = {"driver": "overlay", "graphroot": str(folder / "images"), "runroot": str(folder / "run")}
    lines = [f'{name} = "{value}"' for name, value in storage.items()]
    (folder / "storage.conf").write_text("\n".join(["[storage]", *lines, ""]))
    return folder / "storage.conf"


@contextmanager
def empty_store() -> Iterator[None]:
    """podman has no image yet: whatever it runs, it pulls."""
    folder = Path(tempfile.mkdtemp(prefix="hardway-podman-store-"))
    try:
        with stored_in(folder):
            yield
    finally:
        remove(folder)


def cluster_folder(folder: Path, settings: dict[str, Any], **changes: Any) -> Path:
    """A cluster's folder with an install-config, to be built from a release."""
    write_folder(folder, install_config(**changes), mco=False)
    (folder / "hardway.yaml").write_text(yaml.safe_dump(settings))
    return folder
