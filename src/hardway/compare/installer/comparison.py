"""Builds our bootstrap.ign from the install-config inside openshift-install's, and compares the two."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from hardway.compare.installer.differences import differences
from hardway.compare.installer.reading import FIX, read_ours, read_reference
from hardway.compare.installer.snapshot import Snapshot
from hardway.compare.report import Report, Wording
from hardway.compare.values import ABBREVIATED, fields
from hardway.emit import goyaml
from hardway.graph.build import Builder
from hardway.graph.store import Store
from hardway.model.config.load import Inputs, load
from hardway.model.entropy import SystemEntropy
from hardway.model.errors import ConfigError
from hardway.release.catalogue import release_for
from hardway.workspace.catalogue import make_graph

WORDING = Wording(
    source="reference",
    fields=("path", "aspect", "theirs", "ours", "row", "why"),
    theirs="the installer: ",
    ours="here:          ",
    width=100,
)

OURS = "/etc/hardway/"


def bootstrap_ignition(install_config: str) -> bytes:
    """The bootstrap.ign of a cluster with this install-config, built aside and thrown away."""
    loaded = load(Inputs(install_config=install_config), release_for)
    graph = make_graph(loaded)
    with TemporaryDirectory(prefix="hardway-compare-") as scratch:
        store = Store(Path(scratch) / "assets")
        builder = Builder(graph=graph, cluster=loaded.cluster, store=store, entropy=SystemEntropy())
        builder.build(["ignition/bootstrap"])
        return store.read(graph["ignition/bootstrap"].path) or b""


def compare(path: Path, build: Callable[[str], bytes] = bootstrap_ignition) -> Report:
    """Build ours from the reference's own install-config, and hold the two side by side. Nothing is written."""
    reference = read_reference(path)
    _refuse_ours(path, reference)
    _refuse_shortened(path, reference)
    ours = read_ours(_built(path, reference, build))
    compared = _counts(reference)
    counts = ", ".join(f"{count} {name}" for name, count in compared.items())
    return Report(
        wording=WORDING,
        source=str(path),
        head=(f"Compared with {path}: {counts}.",),
        compared=compared,
        differences=tuple(differences(reference, ours)),
    )


def _built(path: Path, reference: Snapshot, build: Callable[[str], bytes]) -> bytes:
    """What is wrong is said of the install-config in the file: nobody has written one beside it."""
    try:
        return build(goyaml.dump(reference.install_config))
    except ConfigError as error:
        raise ConfigError(f"{path}: nothing can be built from the install-config in it.\n{error}") from None


def _refuse_ours(path: Path, reference: Snapshot) -> None:
    if any(name.startswith(OURS) for name in reference.files):
        raise ConfigError(f"{path} is a bootstrap.ign that hardway built: it has files in {OURS}.{FIX}")


def _refuse_shortened(path: Path, reference: Snapshot) -> None:
    found = [field for field, value in fields(reference.install_config) if ABBREVIATED.match(str(value))]
    if found:
        raise ConfigError(
            f"{path}: of {', '.join(found)} in its install-config only the length is known.\n"
            "    fix: compare with the bootstrap.ign itself"
        )


def _counts(reference: Snapshot) -> dict[str, int]:
    return {
        "files": len(reference.files),
        "units": len(reference.units),
        "certificates": sum(len(several) for several in reference.certificates.values()),
        "documents": len(reference.documents),
        "kubeconfigs": len(reference.kubeconfigs),
    }
