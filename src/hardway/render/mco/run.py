"""The two-step render: the machine-config operator writes what its controller needs, the controller merges it all."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hardway.graph.asset import Graph, digest
from hardway.graph.store import Store
from hardway.io.folder import beside, fill, make_private, put, remove
from hardway.model.cluster import Release
from hardway.model.errors import ToolError
from hardway.registry import podman
from hardway.registry.access import Access
from hardway.render import record
from hardway.render.failures import explain
from hardway.render.mco.inputs import for_controller, operator_inputs

IMAGE = "machine-config-operator"
OPERATOR, CONTROLLER = "/usr/bin/machine-config-operator", "/usr/bin/machine-config-controller"
INPUT, OUTPUT = "/input", "/output"
REFERENCES = "image-references"
FAILED = "mco-failed"  # beside the render's folder: what a program that failed was given
PULL_SECRET = "machineconfigcontroller-pull-secret"  # noqa: S105  (a file's name)
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Render:
    """One render to make: from these files, with this release, for that folder."""

    release: Release
    files: Mapping[str, bytes]  # path below /input -> content
    flags: Sequence[str]
    manifests: Mapping[str, bytes]  # for the controller
    inputs: Mapping[str, str]  # path below assets -> digest, of all that is read
    access: Access

    @property
    def key(self) -> str:
        said = [self.release.image, self.release.version, self.release.image_for(IMAGE), *self.flags]
        return digest(json.dumps([sorted(self.inputs.items()), digest(self.files[REFERENCES]), said]).encode())


def prepare(graph: Graph, store: Store, release: Release, references: bytes, access: Access) -> Render:
    """Gather the inputs from what stages 05 and 07 have built."""
    rows = operator_inputs(graph)
    files = {graph[row.address].path: store.read(graph[row.address].path) or b"" for row in rows}
    manifests = for_controller(
        (a.path, store.read(a.path) or b"") for n, a in graph.items() if n.startswith("manifest/")
    )
    return Render(
        release=release,
        files={Path(path).name: content for path, content in files.items()} | {REFERENCES: references},
        flags=[f"{row.flag}={INPUT}/{Path(graph[row.address].path).name}" for row in rows],
        manifests={Path(path).name: content for path, content in manifests.items()},
        inputs={path: digest(content) for path, content in (files | manifests).items()},
        access=access,
    )


def current(render: Render, folder: Path) -> bool:
    """Whether the folder holds this very render, untouched."""
    return record.current(folder, render.key) is not None


def make(render: Render, folder: Path, progress: Progress) -> None:
    """Run both programs, and put their output into place when both have succeeded."""
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with beside(folder) as place:
        progress(f"{IMAGE} bootstrap ({render.release.image_for(IMAGE)})")
        _operator(render, place)
        progress("machine-config-controller bootstrap")
        _controller(render, place)
        made = place / "rendered"
        record.keep(made, render.key, release=render.release.image, inputs=render.inputs)
        make_private(made)
        put(made, folder)
    remove(folder.parent / FAILED)


def _operator(render: Render, place: Path) -> None:
    fill(place / "input", render.files)
    (place / "operator").mkdir()
    release = render.release
    argv = ["bootstrap", *render.flags, f"--image-references={INPUT}/{REFERENCES}", f"--release-image={release.image}"]
    argv += [f"--payload-version={release.version}", f"--dest-dir={OUTPUT}"]
    _run(render, OPERATOR, argv, place / "input", place / "operator")


def _controller(render: Render, place: Path) -> None:
    """What the operator wrote for the controller, and the cluster's manifests beside it, as on the bootstrap node."""
    made = {f.name: f.read_bytes() for f in (place / "operator" / "bootstrap" / "manifests").glob("*")}
    fill(place / "controller", {**render.manifests, **made})
    (place / "rendered").mkdir()
    argv = ["bootstrap", f"--manifest-dir={INPUT}", f"--dest-dir={OUTPUT}", f"--pull-secret={INPUT}/{PULL_SECRET}"]
    argv += [f"--payload-version={render.release.version}"]
    _run(render, CONTROLLER, argv, place / "controller", place / "rendered")


def _run(render: Render, program: str, argv: Sequence[str], source: Path, target: Path) -> None:
    mounts = [podman.Mount(source=source, target=INPUT), podman.Mount(source=target, target=OUTPUT, writable=True)]
    done = podman.run_program(render.release.image_for(IMAGE), program, argv, mounts=mounts, access=render.access)
    if not done.ok:
        raise ToolError(explain("MCO's render", done, kept=_keep(source)))


def _keep(source: Path) -> Path:
    """The failed program's input stays, so that the command can be pasted and tried."""
    kept = source.parent.parent / FAILED
    remove(kept)
    shutil.copytree(source, kept / source.name)
    (kept / "output").mkdir()
    make_private(kept)
    return kept
