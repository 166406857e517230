"""The user's files as values that can be varied one at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

from hardway.emit import yaml as emitted
from hardway.emit.document import leaves
from hardway.explain.fields import places
from hardway.explain.place import field_row
from hardway.model import yaml
from hardway.model.config.load import FIELDS, Inputs
from hardway.model.config.table import FieldRow
from hardway.workspace.names import HOSTS, INSTALL_CONFIG, SETTINGS

TEXTS = {INSTALL_CONFIG: "install_config", HOSTS: "hosts", SETTINGS: "settings"}
"""The files, and what the model calls their texts."""
Values = dict[str, dict[str, Any]]
"""By file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """One value that decides, or may decide, something."""

    row: FieldRow
    path: emitted.Path
    value: object
    line: int  # 0: it is not written
    default: tuple[emitted.Path, Any] | None = None  # of what is not written: the whole default, and its place

    @property
    def name(self) -> str:
        text = ""
        for part in self.path:
            text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
        return text


def values_of(inputs: Inputs) -> Values:
    """What the files say, without their form."""
    texts = {file: getattr(inputs, name) for file, name in TEXTS.items()}
    return {file: yaml.load(text, "dates as text") or {} for file, text in texts.items() if text is not None}


def written(inputs: Inputs, values: Values) -> Inputs:
    """The same inputs with these values."""
    texts: dict[str, Any] = {TEXTS[file]: emitted.dump(content) for file, content in values.items()}
    return replace(inputs, **texts)


def all_leaves(inputs: Inputs, values: Values) -> Iterator[Leaf]:
    """What is written, and what is not written and has a default."""
    for file in TEXTS:
        lines = _lines(getattr(inputs, TEXTS[file]))
        for path, value in leaves(values.get(file, {})):
            if row := field_row(file, path):
                yield Leaf(row=row, path=path, value=value, line=lines.get(path, 0))
        yield from _defaults(file, values.get(file, {}))


def _lines(text: str | None) -> dict[emitted.Path, int]:
    return {path: first + 1 for first, _, path, _ in places(yaml.compose(text or ""), ())}


def _defaults(file: str, content: Mapping[str, Any]) -> Iterator[Leaf]:
    for row in FIELDS:
        steps = tuple(row.path.split("."))
        if row.file != file or "[" in row.path or "*" in steps or _present(content, steps):
            continue
        if row.default is not None or row.values or row.kind == "boolean":
            default = _plain(row.default)
            for below, value in leaves(default):
                path = (*steps, *below)
                yield Leaf(row=field_row(file, path) or row, path=path, value=value, line=0, default=(steps, default))


def _plain(value: Any) -> Any:
    """A default as a file would have it: networks are text."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value if value is None or isinstance(value, bool | int | str) else str(value)


def _present(content: object, steps: emitted.Path) -> bool:
    for step in steps:
        if not isinstance(content, Mapping) or step not in content:
            return False
        content = content[step]
    return True


def varied(values: Values, leaf: Leaf, other: object) -> Values:
    """With one value replaced. Of a default, what surrounds it is written too."""
    changed = deepcopy(values)
    content = changed.setdefault(leaf.row.file, {})
    if leaf.default:
        _put(content, *leaf.default)
    _put(content, leaf.path, other)
    return changed


def _put(content: Any, path: emitted.Path, value: object) -> None:
    *above, last = path
    for step in above:
        content = content[step] if isinstance(step, int) else content.setdefault(step, {})
    content[last] = deepcopy(value)
