"""A cluster folder: the user's files in it, the graph they ask for, and the store of what was made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from hardway.graph.asset import Graph
from hardway.graph.store import Store
from hardway.lines.default import DEFAULT
from hardway.lines.line import Line
from hardway.model.config.load import Inputs, Loaded, load
from hardway.model.errors import ConfigError
from hardway.model.settings.file import Options
from hardway.release.catalogue import release_for
from hardway.workspace.catalogue import make_graph
from hardway.workspace.names import ASSETS, CRDS, HOSTS, INSTALL_CONFIG, MCO, SETTINGS
from hardway.workspace.release import release_in

if TYPE_CHECKING:
    from hardway.ignition.base import Base, Pool


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    folder: Path
    loaded: Loaded
    graph: Graph
    store: Store
    base: Mapping[Pool, Base] | None  # MCO's render, without which masters and workers have no file
    crds: Mapping[str, bytes]  # what stage 04 brought

    def of_stage(self, number: str) -> list[str]:
        return [address for address, asset in self.graph.items() if asset.stage == number]


def read_text(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: byte {error.start} is not UTF-8.\n    fix: save the file as UTF-8 text") from None
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}.\n    fix: give a file that can be read") from None


def open_workspace(
    folder: Path,
    *,
    options: Options | None = None,
    mco: Path | None = None,
) -> Workspace:
    """Read the folder and derive everything; nothing on disk changes."""
    store = Store(folder / ASSETS)
    loaded = load(inputs(folder), release_in(store.root), options or Options())
    base = mco or (folder / loaded.settings.mco if loaded.settings.mco else store.root / MCO)
    rendered = _read_base(base, loaded.cluster.line, required=mco is not None or bool(loaded.settings.mco))
    named = sorted(path.name for path in (store.root / CRDS).glob("*.yaml"))
    crds = {name: content for name in named if (content := store.read(f"{CRDS}/{name}")) is not None}
    graph = make_graph(loaded, rendered, crds)
    return Workspace(folder=folder, loaded=loaded, graph=graph, store=store, base=rendered, crds=crds)


def inputs(folder: Path) -> Inputs:
    """The texts that the user wrote."""
    text = read_text(folder / INSTALL_CONFIG)
    if text is None:
        raise ConfigError(
            f"{folder / INSTALL_CONFIG}: there is no such file.\n"
            f"    fix: make one with `hardway init {folder}`, or name the cluster's folder with -C"
        )
    return Inputs(
        install_config=text,
        hosts=read_text(folder / HOSTS),
        settings=read_text(folder / SETTINGS),
        install_config_file=str(folder / INSTALL_CONFIG),
        hosts_file=str(folder / HOSTS),
        settings_file=str(folder / SETTINGS),
    )


def open_or_example(folder: Path) -> Workspace:
    """The folder's cluster, or where there is none the default one, for looking at it."""
    if (folder / INSTALL_CONFIG).exists():
        return open_workspace(folder)
    loaded = example_cluster()
    store = Store(folder / ASSETS)
    return Workspace(folder=folder, loaded=loaded, graph=make_graph(loaded), store=store, base=None, crds={})


def example_cluster() -> Loaded:
    """The cluster that `hardway init` starts with."""
    return load(Inputs(install_config=example(INSTALL_CONFIG)), release_for)


def example(name: str) -> str:
    """A file to start from, as `hardway init` writes it."""
    return files("hardway.workspace").joinpath(f"examples/{name}").read_text().replace("RELEASE", DEFAULT.release)


def _read_base(folder: Path, line: Line, *, required: bool) -> Mapping[Pool, Base] | None:
    from hardway.ignition.base import read_base

    if required and not folder.is_dir():
        raise ConfigError(f"{folder}: there is no such folder.\n    fix: name the folder with MCO's rendered configs")
    return read_base(folder, line) if folder.is_dir() else None
