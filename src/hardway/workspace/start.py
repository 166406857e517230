"""The files that a cluster starts from, with the values that its user chooses."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

from hardway.lines.find import line_of, minor_of
from hardway.model import yaml
from hardway.model.cluster import UNREAD, Cluster, Release
from hardway.model.config.load import Inputs, Loaded, load
from hardway.model.errors import ConfigError
from hardway.model.problem import Problem
from hardway.release.catalogue import release_for
from hardway.workspace.folder import example, example_cluster, read_text
from hardway.workspace.names import HOSTS, INSTALL_CONFIG, SETTINGS

_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9./-]*")
_OTHER_NETWORKS = ("networking.clusterNetwork", "networking.serviceNetwork")
_NUMBERS = ("masters", "workers")
_NUMBER = re.compile(r"-?[0-9]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """An empty one means the default. Each is text as it was given: the reader of the files judges it."""

    name: str = ""
    domain: str = ""
    masters: str = ""
    workers: str = ""
    network: str = ""
    ssh_key: str = ""
    pull_secret: str = field(default="", repr=False)
    release: str = ""

    def given(self) -> list[str]:
        return [row.name for row in fields(self) if getattr(self, row.name)]


_LINES = {
    "baseDomain: example.com": "domain",
    "  name: ocp4": "name",
    "  replicas: 3": "masters",
    "  replicas: 2": "workers",
    "  - cidr: 192.168.126.0/24": "network",
    "# sshKey: ssh-ed25519 AAAA": "ssh_key",
}
"""The lines of the example's install-config that a choice replaces."""

_PATHS = {
    "metadata.name": "name",
    "baseDomain": "domain",
    "controlPlane.replicas": "masters",
    "compute[0].replicas": "workers",
    "networking": "network",
    "sshKey": "ssh_key",
    "pullSecret": "pull_secret",
    "release": "release",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    files: Mapping[str, str]  # every file's text by its name: one that is in the folder already as it is
    warnings: tuple[Problem, ...]  # of the choices


def start(choices: Choices, folder: Path) -> Start:
    """What a folder starts with. ConfigError holds every problem."""
    present = {name: text for name in (HOSTS, SETTINGS) if (text := read_text(folder / name)) is not None}
    if choices.release and SETTINGS in present:
        raise ConfigError(
            f"--release: {folder / SETTINGS} exists already, and was left as it is.\n"
            f"    fix: leave --release out, and write `release: {choices.release}` into that file"
        )
    made = {INSTALL_CONFIG: _install_config(choices), SETTINGS: _settings(choices), **present}
    loaded = _load(made, choices, folder)
    files = {INSTALL_CONFIG: made[INSTALL_CONFIG], HOSTS: _hosts(loaded.cluster), SETTINGS: made[SETTINGS], **present}
    told = [_told(warning, choices) for warning in loaded.warnings]
    return Start(files=files, warnings=tuple(warning for warning in told if not warning.file))


def _load(texts: Mapping[str, str], choices: Choices, folder: Path) -> Loaded:
    inputs = Inputs(
        install_config=texts[INSTALL_CONFIG],
        hosts=texts.get(HOSTS),
        settings=texts[SETTINGS],
        install_config_file=str(folder / INSTALL_CONFIG),
        hosts_file=str(folder / HOSTS),
        settings_file=str(folder / SETTINGS),
    )
    try:
        return load(inputs, _release)
    except ConfigError as error:
        raise ConfigError([_told(problem, choices) for problem in error.problems if not problem.warning]) from None


def _release(asked: str) -> Release:
    """A release that nobody has read yet is fine to start with, if it is of a known line."""
    try:
        return release_for(asked)
    except KeyError:
        if minor_of(asked) and line_of(asked) is None:
            raise
        return replace(UNREAD, version=asked if minor_of(asked) else "")


def _told(problem: Problem, choices: Choices) -> Problem:
    """By the option that the user gave, where the problem is that option's."""
    names, fix = [name for path, name in _PATHS.items() if problem.path.startswith(path)], problem.fix
    if problem.rule == "plan.room":
        names, fix = [*names, "workers", "masters"], "give a wider --network, or fewer machines"
    name = next((name for name in names if name in choices.given()), "")
    if not name:
        return problem
    message = f"{problem.path}: {problem.message}" if problem.path.startswith(_OTHER_NETWORKS) else problem.message
    return replace(problem, file="", path=option(name), message=message, fix=fix)


def option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _install_config(choices: Choices) -> str:
    lines = [_chosen(line, choices) for line in example(INSTALL_CONFIG).splitlines(keepends=True)]
    return "".join(line for line in lines if not (choices.pull_secret and line.startswith("# A placeholder")))


def _chosen(line: str, choices: Choices) -> str:
    name = "pull_secret" if line.startswith("pullSecret: ") else _LINES.get(line.split("...")[0].rstrip())
    if not name or not (value := getattr(choices, name)):
        return line
    key = line.removeprefix("# ").split(": ")[0]
    return f"{key}: {_scalar(value, number=name in _NUMBERS)}\n"


def _scalar(value: str, *, number: bool = False) -> str:
    """Plain where YAML reads it as what it is meant to be; JSON in single quotes; anything else in double quotes."""
    if value.startswith("{"):
        return "'" + value.replace("'", "''") + "'"
    if number:
        return value if _NUMBER.fullmatch(value) else json.dumps(value, ensure_ascii=False)
    plain = _PLAIN.fullmatch(value) and isinstance(yaml.load(value), str)
    return value if plain else json.dumps(value, ensure_ascii=False)


def _settings(choices: Choices) -> str:
    line = re.compile(r"^# release: \S+", re.MULTILINE)
    text = example(SETTINGS)
    return line.sub(lambda _: f"release: {_scalar(choices.release)}", text) if choices.release else text


def _hosts(cluster: Cluster) -> str:
    """The example's addresses become those that this cluster's plan has."""
    text = example(HOSTS)
    for old, new in zip(_addresses(example_cluster().cluster), _addresses(cluster), strict=True):
        text = text.replace(f"[{', '.join(old)}]", f"[{', '.join(new)}]", 1 if old != new else 0)
    return text


def _addresses(cluster: Cluster) -> tuple[tuple[str, ...], ...]:
    first = next(node for node in cluster.nodes if node.name == "master-0")
    return cluster.api_vips, cluster.ingress_vips, cluster.gateways, cluster.dns_servers, first.addresses
