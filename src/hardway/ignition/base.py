"""MCO's render, read from a folder: the operating-system layer that every master and worker starts from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from hardway.emit import ignition
from hardway.graph.asset import digest
from hardway.io import links, plain
from hardway.lines.line import Line
from hardway.model import yaml
from hardway.model.errors import ConfigError
from hardway.model.problem import Problem

Pool = Literal["master", "worker"]
POOLS: tuple[Pool, ...] = ("master", "worker")
API_VERSION = "machineconfiguration.openshift.io/v1"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Base:
    """A rendered MachineConfig. Compared by identity: it is read once and is large."""

    pool: Pool
    name: str
    file: str
    digest: str
    machine_config: Mapping[str, Any] = field(repr=False)

    @property
    def config(self) -> Mapping[str, Any]:
        """The Ignition config inside."""
        found: Mapping[str, Any] = self.machine_config["spec"]["config"]
        return found

    def section(self, outer: str, inner: str) -> list[ignition.Entry]:
        return list((self.config.get(outer) or {}).get(inner) or ())


def read_base(folder: Path, line: Line, *, assets: Path | None = None) -> dict[Pool, Base]:
    """The rendered configs of a folder, or of MCO's output below it, by pool; every defect at once. Below `assets` no
    link is followed: whoever made the folder would bring any file of this machine into the nodes' Ignition files."""
    problems: list[Problem] = []
    found: dict[Pool, Base] = {}
    for pool in POOLS:
        files = _candidates(folder, pool)
        if len(files) > 1:
            problems.append(_several(pool, files))
        elif files and (base := _read(pool, files[0], problems, line, assets)):
            found[pool] = base
    if not found and not problems:
        problems.append(_nothing(folder))
    if problems:
        raise ConfigError(problems)
    return found


def _candidates(folder: Path, pool: Pool) -> list[Path]:
    places = (folder, folder / "machine-configs")
    endings = ("yaml", "yml", "json")
    return sorted(f for place in places for ending in endings for f in place.glob(f"rendered-{pool}-*.{ending}"))


def _read(pool: Pool, file: Path, problems: list[Problem], line: Line, assets: Path | None) -> Base | None:
    content = links.read(file, below=assets) if assets else plain.read(file)
    try:
        document = yaml.load(content)
    except yaml.YamlError as error:
        message = f"is neither YAML nor JSON: {error.message}"
        problems.append(_problem(file, "", message, RENDER_AGAIN, "mco.syntax", error.line, error.column))
        return None
    defects = list(_defects(pool, file, document, line))
    problems.extend(defects)
    if defects:
        return None
    return Base(
        pool=pool,
        name=document["metadata"]["name"],
        file=str(file),
        digest=digest(content),
        machine_config=document,
    )


RENDER_AGAIN = "render it again with MCO's two bootstrap commands (stage 04)"


def _defects(pool: Pool, file: Path, document: Any, line: Line) -> Iterator[Problem]:
    said = (document.get("apiVersion"), document.get("kind")) if isinstance(document, dict) else None
    if said != (API_VERSION, "MachineConfig"):
        yield _problem(file, "kind", f"is not a MachineConfig of {API_VERSION}", RENDER_AGAIN, "mco.kind")
        return
    name = (document.get("metadata") or {}).get("name") or ""
    if not str(name).startswith(f"rendered-{pool}-"):
        message, fix = f"is {name!r}, but the file is called after pool {pool}", "keep the file names that MCO gives"
        yield _problem(file, "metadata.name", message, fix, "mco.name")
    config = (document.get("spec") or {}).get("config")
    if not isinstance(config, dict) or not isinstance(config.get("ignition"), dict):
        yield _problem(file, "spec.config", "is not an Ignition config", RENDER_AGAIN, "mco.config")
        return
    yield from _ignition_defects(file, config, line)


def _ignition_defects(file: Path, config: dict[str, Any], line: Line) -> Iterator[Problem]:
    version = config["ignition"].get("version")
    known = line.ignition
    if version not in known.read:
        fix = f"use a render of {', '.join(known.read)}; MCO {line.minor} writes {known.rendered}"
        yield _problem(file, "spec.config.ignition.version", f"is {version!r}", fix, "mco.version")
    if config["ignition"].get("config"):
        fix = "give MCO's rendered config itself, not the pointer that openshift-install writes"
        message = "makes the node fetch its configuration"
        yield _problem(file, "spec.config.ignition.config", message, fix, "mco.pointer")
    storage = config.get("storage") or {}
    users = (config.get("passwd") or {}).get("users") or ()
    units = (config.get("systemd") or {}).get("units") or ()
    try:
        doubles = [*ignition.twice(storage.get("files") or (), storage), *ignition.named_twice(units, users)]
    except (KeyError, TypeError, AttributeError):
        yield _problem(file, "spec.config", "has an entry without a path or a name", RENDER_AGAIN, "mco.config")
        return
    for double in doubles:
        yield _problem(file, "spec.config", f"{double}; Ignition refuses that", RENDER_AGAIN, "mco.duplicate")


def _several(pool: Pool, files: list[Path]) -> Problem:
    names = ", ".join(f.name for f in files)
    fix = f"keep the one whose name the {pool} pool has in machine-pools/, and remove the others"
    return _problem(files[0].parent, "", f"holds several rendered {pool} configs: {names}", fix, "mco.several")


def _nothing(folder: Path) -> Problem:
    fix = "put rendered-master-….yaml and rendered-worker-….yaml there, as MCO renders them (stage 04)"
    return _problem(folder, "", "holds no rendered MachineConfig", fix, "mco.missing")


def missing(pool: Pool, folder: str) -> ConfigError:
    """The plan has machines of a pool that the render does not cover."""
    fix = f"put MCO's rendered-{pool}-….yaml beside the other one (stage 04)"
    message = f"no rendered {pool} config, but the plan has {pool}s"
    return ConfigError([_problem(Path(folder), "", message, fix, "mco.missing")])


def _problem(file: Path, path: str, message: str, fix: str, rule: str, line: int = 1, column: int = 1) -> Problem:
    return Problem(file=str(file), line=line, column=column, path=path, message=message, fix=fix, rule=rule)
