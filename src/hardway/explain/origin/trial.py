"""The experiment: each value of the user's files is varied, all is made again, and what differs is the answer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from hardway.explain.origin.given import Leaf, Values, all_leaves, values_of, varied, written
from hardway.explain.origin.made import Made, differences
from hardway.explain.origin.others import others
from hardway.explain.origin.release import any_release
from hardway.model.config.load import Inputs
from hardway.model.errors import HardwayError
from hardway.model.yaml import YamlError
from hardway.workspace.folder import Workspace, inputs, with_inputs
from hardway.workspace.names import INSTALL_CONFIG

ENOUGH = 2
"""Other values of a field that are taken: one alone may happen to give the same."""
LONGEST = 60
HIDDEN = "(not shown)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One value of the user's, and what would change with it."""

    file: str
    line: int  # 0: it is not written
    name: str  # networking.serviceNetwork[0]
    field: str  # networking.serviceNetwork[]
    value: str
    tried: tuple[str, ...]  # empty: no other value is valid
    changes: tuple[str, ...]

    @property
    def place(self) -> str:
        """As `explain` prints it."""
        if self.line:
            return f"{self.file}:{self.line}  {self.name}: {self.value}"
        default = f"; the default is {self.value}" if self.value else ""
        return f"{self.file}  {self.name} is not written{default}"


def trials(workspace: Workspace) -> tuple[Trial, ...]:
    """Of all values; none where the folder has no files of the user's."""
    if not (workspace.folder / INSTALL_CONFIG).exists():
        return ()
    given = inputs(workspace.folder)
    try:
        values = values_of(given)
        base = Made(with_inputs(workspace, written(given, values), any_release(workspace)))
    except (HardwayError, YamlError):
        return ()
    return tuple(_trial(base, given, values, leaf) for leaf in all_leaves(given, values))


def _trial(base: Made, given: Inputs, values: Values, leaf: Leaf) -> Trial:
    tried: list[str] = []
    changes: set[str] = set()
    for other, made in _accepted(base, given, values, leaf):
        tried.append(_shown(leaf, other))
        changes |= differences(base, made)
        if len(tried) == ENOUGH:
            break
    return Trial(
        file=leaf.row.file,
        line=leaf.line,
        name=leaf.name,
        field=leaf.row.path,
        value=_shown(leaf, leaf.value),
        tried=tuple(tried),
        changes=tuple(sorted(changes)),
    )


def _accepted(base: Made, given: Inputs, values: Values, leaf: Leaf) -> Iterator[tuple[object, Made]]:
    """What the configuration's rules refuse is no input."""
    for other in others(leaf.row, leaf.value):
        try:
            workspace = with_inputs(
                base.workspace, written(given, varied(values, leaf, other)), any_release(base.workspace)
            )
            yield other, Made(workspace, base)
        except HardwayError:
            continue


def _shown(leaf: Leaf, value: object) -> str:
    if value is None:
        return ""
    text = " ".join(str(value).split()) if not isinstance(value, bool) else str(value).lower()
    return HIDDEN if leaf.row.secret else text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def by_address(found: Iterable[Trial]) -> dict[str, tuple[str, ...]]:
    """The lines that decide each address; those that are written first."""
    places: dict[str, list[str]] = defaultdict(list)
    for trial in sorted(found, key=lambda trial: not trial.line):
        for address in trial.changes:
            places[address].append(trial.place)
    return {address: tuple(rows) for address, rows in places.items()}


def deciding(found: Iterable[Trial], address: str) -> tuple[str, ...]:
    return by_address(found).get(address, ())


def as_row(trial: Trial) -> dict[str, Any]:
    return asdict(trial)


def from_row(row: dict[str, Any]) -> Trial:
    return Trial(**row | {"tried": tuple(row["tried"]), "changes": tuple(row["changes"])})
