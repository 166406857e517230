"""Small Go programs of the tests, each built once and kept outside the tree under the digest of its sources."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

SOURCES = Path(__file__).parent


@cache
def program(name: str) -> Path:
    """The program whose sources are in the folder of that name."""
    source = SOURCES / name
    key = sha256(b"".join((source / file).read_bytes() for file in ("go.mod", "go.sum", "main.go"))).hexdigest()[:16]
    target = Path.home() / ".cache" / "hardway" / "tools" / f"{name}-{key}"
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        part = target.with_name(f"{target.name}.{os.getpid()}")
        environment = {**os.environ, "CGO_ENABLED": "0", "GOFLAGS": "-mod=readonly"}
        subprocess.run(["go", "build", "-o", part, "."], cwd=source, env=environment, check=True)
        part.replace(target)
    return target


def ask(name: str, several: Sequence[Any]) -> list[Any]:
    """What the program makes of each item: a JSON list in, a JSON list out."""
    text = json.dumps(list(several))
    done = subprocess.run([program(name)], input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    answers: list[Any] = json.loads(done.stdout)
    return answers
