"""What a planted failure is, and what plants share."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any

from tests.lab.wholes import Whole

MASTER, WORKER = "master-0", "worker-0"


Planting = Callable[[Whole], AbstractContextManager[object]]


@dataclass(frozen=True)
class Plant:
    mode: str
    planted: Planting
    later: str = ""  # judged as if so much time had passed: what is normal for some minutes is a failure then


def on(lab: Whole, node: str, script: str) -> str:
    """What a script on the node prints; it must succeed."""
    done = lab.prepared.machines.run(node, ["bash", "-ec", script])
    assert done.ok, f"{node}: {script}: {done.output}{done.errors}"
    return done.output


@contextmanager
def changed(lab: Whole, node: str, do: str, undo: str) -> Iterator[None]:
    """A script, and another one that takes it back whatever happens."""
    try:
        on(lab, node, do)
        yield
    finally:
        on(lab, node, undo)


@contextmanager
def applied(lab: Whole, *items: dict[str, Any]) -> Iterator[None]:
    """Objects, for as long as the block lasts."""
    file = lab.prepared.folder / "planted.json"
    file.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": list(items)}))
    try:
        lab.kubectl("apply", f"--filename={file}")
        yield
    finally:
        lab.kubectl("delete", f"--filename={file}", "--ignore-not-found", "--force", "--grace-period=0")
        file.unlink()


def one(lab: Whole, *words: str) -> Any:
    return json.loads(lab.kubectl("get", *words, "--output=json"))
