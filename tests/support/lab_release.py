"""The lab release in real registries: packed once, pushed once, served in several ways."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from hardway.lab import release, release_push
from hardway.lab.images import Set
from hardway.lab.release_push import Target
from tests.support import registry
from tests.support.clusters import install_config
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
        return {"release": self.built.pull_spec, "plainHTTP": [self.host]}


class Releases:
    """Registries over one storage: what was pushed to one, all have."""

    def __init__(self, stack: ExitStack, folder: Path) -> None:
        self._stack = stack
        self._folder = folder
        self._count = 0
        self.plain = self.serve(lambda _: Target(insecure=True))

    def serve(
        self, target: Callable[[str], Target], *, names: str = "", chosen: Set = "core", **sections: Any
    ) -> Served:
        """A registry with these settings, and the release for it; `target` says how to push to a host, `names` is
        what its images are called under, if that is not the registry itself."""
        self._count += 1
        place = self._folder / f"registry-{self._count}"
        found = self._stack.enter_context(registry.serving(place, self._folder / "storage", **sections))
        here = f"{found.host}/{REPOSITORY}"
        built = release.build(chosen, registry=names or here)
        release_push.push(replace(built, repository=here), target(found.host))
        return Served(found.host, built)


@contextmanager
def releases() -> Iterator[Releases]:
    """Also gives podman a storage of its own, so that nothing stays behind."""
    with tempfile.TemporaryDirectory(prefix="hardway-release-") as scratch, ExitStack() as stack:
        folder = Path(scratch)
        storage = {"driver": "overlay", "graphroot": str(folder / "images"), "runroot": str(folder / "run")}
        lines = [f'{name} = "{value}"' for name, value in storage.items()]
        (folder / "storage.conf").write_text("\n".join(["[storage]", *lines, ""]))
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("CONTAINERS_STORAGE_CONF", str(folder / "storage.conf"))
            yield Releases(stack, folder)


def cluster_folder(folder: Path, settings: dict[str, Any], **changes: Any) -> Path:
    """A cluster's folder with an install-config, to be built from a release."""
    write_folder(folder, install_config(**changes), mco=False)
    (folder / "hardway.yaml").write_text(yaml.safe_dump(settings))
    return folder
