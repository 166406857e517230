"""The user's own documents: in the artifacts as they were written, and in MCO's render."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from hardway.checks.files.artifacts import Artifacts
from hardway.checks.files.ignition.file import Ign
from hardway.checks.files.render import AGAIN, no_render
from hardway.checks.files.shapes import at, mappings, strings, text
from hardway.model.check import Flaw
from hardway.model.own.document import MACHINE_CONFIG, Own
from hardway.model.own.machine_config import ROLE
from hardway.model.own.rules import ROLES

REBUILD = "run `hardway build`"


def not_rendered(artifacts: Artifacts) -> str:
    return no_render(artifacts) if _machine_configs(artifacts) else ""


def present(artifacts: Artifacts) -> Iterator[Flaw]:
    for own in artifacts.cluster.own:
        if not artifacts.exists(own.path):
            yield Flaw(subject=own.path, message=f"your {own.title} ({own.file}) is missing", fix=REBUILD)


def same(artifacts: Artifacts) -> Iterator[Flaw]:
    for own in artifacts.cluster.own:
        content = artifacts.read(own.path)
        if content is not None and content != own.content:
            message = f"it is not your {own.title} as {own.file}:{own.first} has it"
            yield Flaw(subject=own.path, message=message, fix=REBUILD, origin=own.file)


def modes(artifacts: Artifacts) -> Iterator[Flaw]:
    for own in artifacts.cluster.own:
        if own.kind == "Secret" and artifacts.exists(own.path) and artifacts.mode(own.path) & 0o077:
            message = f"has mode {artifacts.mode(own.path):04o}, and is a Secret"
            yield Flaw(subject=own.path, message=message, fix=f"chmod 600 {own.path}")


def rendered(artifacts: Artifacts) -> Iterator[Flaw]:
    """Each file, unit and kernel argument of the user's MachineConfigs, in the render of its pool. Where several of
    them write the same file, the last name counts, as it does to the machine-config operator."""
    for role in ROLES:
        configs = [own for own in _machine_configs(artifacts) if (own.at("metadata.labels") or {}).get(ROLE) == role]
        for path in artifacts.files(f"mco/**/rendered-{role}-*.yaml"):
            yield from _missing(path, artifacts.yaml(path), sorted(configs, key=lambda own: own.name))


def _machine_configs(artifacts: Artifacts) -> list[Own]:
    return [own for own in artifacts.cluster.own if own.type == MACHINE_CONFIG]


def _missing(path: str, config: Any, configs: Sequence[Own]) -> Iterator[Flaw]:
    render = Ign(path, {"storage": at(config, "spec", "config", "storage")})
    units = {text(unit, "name") for unit in mappings(config, "spec", "config", "systemd", "units")}
    arguments = strings(config, "spec", "kernelArguments")
    last = {text(entry, "path"): (own, entry) for own in configs for entry in _files(own)}
    for own, entry in last.values():
        source = Ign("", {})
        if render.file(text(entry, "path")) != source.content(entry):
            yield _lacks(path, own, f"the file {text(entry, 'path')}")
    for own in configs:
        yield from (_lacks(path, own, f"the unit {u}") for u in _units(own) if u not in units)
        yield from (_lacks(path, own, f"the kernel argument {a}") for a in _arguments(own) if a not in arguments)


def _files(own: Own) -> list[dict[str, Any]]:
    return mappings(own.body, "spec", "config", "storage", "files")


def _units(own: Own) -> list[str]:
    return [text(unit, "name") for unit in mappings(own.body, "spec", "config", "systemd", "units")]


def _arguments(own: Own) -> list[str]:
    return strings(own.body, "spec", "kernelArguments")


def _lacks(path: str, own: Own, what: str) -> Flaw:
    message = f"{what} of your MachineConfig {own.name} ({own.file}) is not in it, or a later MachineConfig changes it"
    return Flaw(subject=path, message=message, fix=AGAIN, origin=own.path)
