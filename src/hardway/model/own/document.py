"""One document of the user's: whose it is, what it is, and where it goes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from hardway.model.config.nodes import START, Place

FOLDER = "manifests"  # in the cluster's folder, and below assets
MACHINE_CONFIG = ("machineconfiguration.openshift.io", "MachineConfig")
SECRET = ("", "Secret")
POOL = ("machineconfiguration.openshift.io", "MachineConfigPool")
CRD = ("apiextensions.k8s.io", "CustomResourceDefinition")
Identity = tuple[str, str, str, str]
"""API group, kind, namespace, name: what the API server tells objects apart by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Own:
    file: str  # below the cluster's folder
    first: int  # its first line in that file
    last: int
    number: int  # which of the file's documents it is
    of: int
    content: bytes = field(repr=False)
    body: Mapping[str, Any] = field(repr=False)
    places: Mapping[str, Place] = field(repr=False)  # of its fields, in the file
    address: str
    path: str  # below assets
    replaces: bool = False  # whether the address is that of a document of ours

    @property
    def api(self) -> str:
        return str(self.body["apiVersion"])

    @property
    def kind(self) -> str:
        return str(self.body["kind"])

    @property
    def name(self) -> str:
        return str(self.body["metadata"]["name"])

    @property
    def group(self) -> str:
        return self.api.rpartition("/")[0]

    @property
    def type(self) -> tuple[str, str]:
        return self.group, self.kind

    @property
    def identity(self) -> Identity:
        return identity(self.body)

    @property
    def title(self) -> str:
        """The object, as people name it."""
        namespace = self.body["metadata"].get("namespace")
        return f"{self.kind} {f'{namespace}/' if namespace else ''}{self.name}"

    def at(self, path: str) -> Any:
        """The value of a field: `spec.config.ignition.version`; None if there is none."""
        found: Any = self.body
        for part in path.split("."):
            found = found.get(part) if isinstance(found, Mapping) else None
        return found

    def line(self, path: str) -> str:
        """What the user wrote from the field's name to the end of that line."""
        place = self.place(path)
        return _lines(self.content)[place.line - self.first][place.column - 1 :]

    def place(self, path: str) -> Place:
        """Where the field stands, or the nearest thing around it."""
        while path and path not in self.places:
            path = path.rpartition(".")[0]
        return self.places.get(path, Place(self.first, START.column))


@lru_cache(maxsize=1)
def _lines(content: bytes) -> list[str]:
    """A rule asks for many lines of one document after another."""
    return content.decode().split("\n")


def identity(body: Mapping[str, Any]) -> Identity:
    """The namespace `default` is where an object goes that names none, so both are the same here. What is in no
    namespace names none either: a rule sees to that."""
    metadata = body["metadata"]
    group = str(body["apiVersion"]).rpartition("/")[0]
    namespace = str(metadata.get("namespace") or "")
    return group, str(body["kind"]), "" if namespace == "default" else namespace, str(metadata["name"])
