"""YAML with a change in it, and YAML of a document: by PyYAML's C, which is many times as quick."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml


def dumped(document: Any) -> str:
    return str(yaml.dump(document, Dumper=yaml.CSafeDumper))


def edited(text: str, change: Callable[[Any], object]) -> str:
    document = yaml.load(text, yaml.CSafeLoader)
    change(document)
    return dumped(document)


def edit_file(file: Path, change: Callable[[Any], object]) -> None:
    file.write_text(edited(file.read_text(), change))
