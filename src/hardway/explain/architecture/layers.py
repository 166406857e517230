"""Every package of the program, in layers. A package imports from the layers below its own alone.

The architecture test holds the imports against this table, and the picture of docs/architecture.md is drawn from it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    name: str
    what: str  # in a few words
    column: int  # its place in the picture


def _layer(*rows: tuple[int, str, str]) -> tuple[Package, ...]:
    return tuple(Package(column=column, name=name, what=what) for column, name, what in rows)


LAYERS = (
    _layer((2, "cli", "parse, call, print")),
    _layer((2, "page", "the folder in a browser")),
    _layer((2, "explain", "the atlas of every address")),
    _layer((1, "lab", "booted nodes on a machine"), (3, "compare", "our artifacts and theirs")),
    _layer((3, "doctor", "causes before effects")),
    _layer((1, "places", "where a cluster runs"), (3, "gather", "an archive without secrets")),
    _layer((0, "labrelease", "a release from Go modules"), (2, "pipeline", "builds and verifications")),
    _layer((2, "stages", "the 17 stages"), (4, "rhcos", "node installs")),
    _layer((0, "render", "operators' own renders"), (2, "checks", "files, host, network, live")),
    _layer(
        (2, "drive", "observe, decide, act"), (3, "deliver", "Ignition files, once"), (4, "libvirt", "virtual machines")
    ),
    _layer((1, "workspace", "a cluster's folder"), (4, "network", "DNS and load balancer")),
    _layer((1, "ignition", "files and units of nodes")),
    _layer((2, "staticpods", "pods and their flags")),
    _layer(
        (0, "kubeconfigs", "one for each identity"),
        (1, "pki", "keys and certificates"),
        (2, "manifests", "objects to be created"),
        (3, "plan", "the derived plan"),
    ),
    _layer(
        (0, "bootkube", "its stages and their script"),
        (2, "emit", "YAML, Ignition, Markdown"),
        (4, "registry", "reading images"),
    ),
    _layer(
        (1, "graph", "assets and their store"), (3, "release", "what a release holds"), (4, "tools", "running programs")
    ),
    _layer((2, "model", "cluster, config, check, why")),
    _layer((1, "lines", "facts of a minor version"), (3, "io", "atomic writes and locks")),
)

LEVEL = {package.name: level for level, layer in enumerate(reversed(LAYERS)) for package in layer}
