"""A cluster folder: the user's files in it, the graph they ask for, and the store of what was made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import replace as with_values
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from hardway.graph.asset import Graph
from hardway.graph.store import Store
from hardway.io import plain
from hardway.lines.default import DEFAULT
from hardway.lines.line import Line
from hardway.model.cluster import UNREAD, Cluster, Release
from hardway.model.config.load import Inputs, Loaded, load
from hardway.model.errors import ConfigError
from hardway.model.settings.file import Options
from hardway.model.yaml import LARGEST
from hardway.release.catalogue import release_for
from hardway.workspace.catalogue import make_graph
from hardway.workspace.names import ASSETS, CRDS, HOSTS, INSTALL_CONFIG, MCO, SETTINGS, YOURS
from hardway.workspace.own import TOGETHER, read_own, settle
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


def read_text(path: Path, read: Callable[[Path], bytes] = plain.read) -> str | None:
    """Of a file that the user wrote; it may be a link."""
    try:
        return plain.text(path, read)
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
    replace: Sequence[str] | None = None,
) -> Workspace:
    """Read the folder and derive everything; nothing on disk changes. `replace`: what of ours the user's documents
    may stand in for, besides what hardway.yaml names; None if nothing is to be built, and all may."""
    if (folder / ASSETS).is_file():
        raise ConfigError(f"{folder / ASSETS}: is a file, and hardway needs a folder there.\n    fix: move it away")
    store = Store(folder / ASSETS)
    loaded = load(inputs(folder), release_in(store.root), options or Options())
    loaded = settle(loaded, folder, None if replace is None else (*loaded.settings.replace, *replace))
    given = mco or (folder / loaded.settings.mco if loaded.settings.mco else None)
    rendered = _read_base(given, store.root, loaded.cluster.line)
    crds = _read_crds(store)
    graph = make_graph(loaded, rendered, crds)
    return Workspace(folder=folder, loaded=loaded, graph=graph, store=store, base=rendered, crds=crds)


def with_inputs(workspace: Workspace, given: Inputs, release_for: Callable[[str], Release]) -> Workspace:
    """The same folder, as if the user had written this."""
    loaded = settle(load(given, release_for), workspace.folder, None)
    return with_values(workspace, loaded=loaded, graph=make_graph(loaded, workspace.base, workspace.crds))


def _read_crds(store: Store) -> dict[str, bytes]:
    """What stage 04 brought. All of it goes into an Ignition file, and the folder may have come from somebody else."""
    home = store.root / CRDS
    found: dict[str, bytes] = {}
    size = 0
    for name in sorted(path.name for path in home.glob("*.yaml")):
        content = store.read(f"{CRDS}/{name}", LARGEST) or b""
        if not name.isascii() or not name.isprintable():
            raise _not_brought(home, f"the name {name!a} is not made of ASCII characters")
        if not _is_text(content):
            raise _not_brought(home, f"{name} is not UTF-8 text")
        found[name] = content
        size += len(content)
        if size > TOGETHER:
            raise _not_brought(home, f"its files have more than {TOGETHER >> 20} MiB")
    return found


def _not_brought(home: Path, why: str) -> ConfigError:
    return ConfigError(f"{home}: {why}.\n    fix: remove the folder, and bring the CRDs again with `hardway build 04`")


def _is_text(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def inputs(folder: Path) -> Inputs:
    """The texts that the user wrote."""
    text = read_text(folder / INSTALL_CONFIG)
    if text is None:
        raise ConfigError(
            f"{folder / INSTALL_CONFIG}: there is no such file.\n"
            f"    fix: make one with `hardway init {folder}`, or name the cluster's folder with -C"
        )
    manifests, unread = read_own(folder)
    return Inputs(
        install_config=text,
        hosts=read_text(folder / HOSTS),
        settings=read_text(folder / SETTINGS),
        manifests=manifests,
        unread=unread,
        install_config_file=str(folder / INSTALL_CONFIG),
        hosts_file=str(folder / HOSTS),
        settings_file=str(folder / SETTINGS),
        manifests_folder=str(folder / YOURS),
    )


def unread(folder: Path) -> Loaded:
    """What the files say, before any release is known."""
    return load(inputs(folder), lambda _: UNREAD)


def planned(folder: Path) -> Cluster:
    """The plan alone."""
    return unread(folder).cluster


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


def _read_base(given: Path | None, assets: Path, line: Line) -> Mapping[Pool, Base] | None:
    from hardway.ignition.base import read_base

    if given is None:
        return read_base(assets / MCO, line, assets=assets) if (assets / MCO).is_dir() else None
    if not given.is_dir():
        raise ConfigError(f"{given}: there is no such folder.\n    fix: name the folder with MCO's rendered configs")
    return read_base(given, line)
