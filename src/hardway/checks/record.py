"""What the record of the build shows: a configuration that changed since, so that files are of the old one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hardway.model.check import Check, Flaw
from hardway.model.why import because


@dataclass(frozen=True, slots=True, kw_only=True)
class Outdated:
    """What changed in the configuration, and the files that were made before."""

    settings: tuple[str, ...]
    paths: frozenset[str]


def _inputs(outdated: Outdated) -> Iterator[Flaw]:
    if outdated.settings:
        message = f"it changed since the build ({', '.join(outdated.settings)}), and the files are of the old one"
        yield Flaw(subject="configuration", message=message)


INPUTS: Check[Outdated] = Check(
    name="record.inputs",
    stage="03",
    run=_inputs,
    fix="run `hardway build`",
    why=because(
        "The files are built from the configuration as it is now.",
        readers="every file that is made from the changed setting",
        breaks="files differ from install-config.yaml and hosts.yaml in many places, until the next build",
        source="measured: the cluster's name was changed after a build, and every check ran",
    ),
)
TABLE = (INPUTS,)
