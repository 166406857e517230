"""The fields of a YAML text, by line."""

from __future__ import annotations

import yaml

from hardway.emit.yaml import Path as FieldPath
from hardway.model.yaml import compose

Place = tuple[int, int, FieldPath, object]


class Fields:
    """YamlError, if the text is no YAML."""

    def __init__(self, text: str) -> None:
        self.lines = text.splitlines()
        self._places = places(compose(text), ())

    def at(self, line: int) -> tuple[FieldPath, object]:
        """The deepest field on the line; for a comment, the field under it; for the head of the file, nothing."""
        if not any(has_field(above) for above in self.lines[:line]):
            return (), None
        line = next((n for n in range(line, len(self.lines) + 1) if has_field(self.lines[n - 1])), line)
        around = [p for p in self._places if p[0] <= line - 1 <= p[1]]
        chosen = max(around, key=lambda p: (p[0], len(p[2])), default=None)
        return (chosen[2], chosen[3]) if chosen else ((), None)


def has_field(line: str) -> bool:
    stripped = line.strip()
    return bool(stripped) and not stripped.startswith("#")


def places(node: yaml.Node | None, path: FieldPath) -> list[Place]:
    """Each field with its first line, its last line, its path and its value."""
    found: list[Place] = []
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            here = (*path, key.value)
            found.append((key.start_mark.line, _last(value), here, _scalar(value)))
            found += places(value, here)
    elif isinstance(node, yaml.SequenceNode):
        for index, value in enumerate(node.value):
            here = (*path, index)
            found.append((value.start_mark.line, _last(value), here, _scalar(value)))
            found += places(value, here)
    return found


def _last(node: yaml.Node) -> int:
    end = node.end_mark
    return end.line - 1 if end.column == 0 and end.line > node.start_mark.line else end.line


def _scalar(node: yaml.Node) -> object:
    return node.value if isinstance(node, yaml.ScalarNode) else None
