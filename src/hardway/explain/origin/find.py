"""The trials that a name stands for: `networking.serviceNetwork`, `install-config.yaml:12`, an address of a field."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from hardway.explain.origin.trial import Trial
from hardway.model.errors import ConfigError

LIST = "`hardway explain --list field/install-config.yaml` lists the fields"


def find(found: Iterable[Trial], name: str) -> list[Trial]:
    """Those of the field and of all below it."""
    file, _, field = name.removeprefix("field/").rpartition("#")
    rows = [trial for trial in found if not file or trial.file == file]
    chosen = [trial for trial in rows if f"{trial.file}:{trial.line}" == name or _named(trial, field)]
    if not chosen:
        raise ConfigError(f"{name}: no value of your files can be varied there.\n    fix: {_hint(field, rows)}")
    return chosen


def _named(trial: Trial, field: str) -> bool:
    return any(full == field or full.startswith((f"{field}.", f"{field}[")) for full in (trial.name, trial.field))


def _hint(field: str, rows: list[Trial]) -> str:
    near = get_close_matches(field, [trial.name for trial in rows], n=1, cutoff=0.6)
    return f"did you mean {near[0]}? {LIST}" if near else LIST
