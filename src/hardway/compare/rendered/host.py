"""On which machine etcd's operator rendered: it writes that machine's name and address into what it makes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hardway.compare.rendered.reading import Folder, Side
from hardway.compare.row import Difference

OPERATOR = "etcd"
PEER = "Secret openshift-etcd/etcd-peer-"
ENDPOINTS = "ConfigMap openshift-etcd/etcd-endpoints"
BOOTSTRAP = "alpha.installer.openshift.io/etcd-bootstrap"
KINDS = "peer|serving-metrics|serving"


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """What stands for the machine in the operator's output, and what stands for it in ours."""

    theirs: tuple[str, str]
    ours: tuple[str, str]

    def renamed(self, value: Any) -> Any:
        """The operator's output as if it had been rendered on the bootstrap machine."""
        if isinstance(value, Mapping):
            return {self._text(str(key)): self.renamed(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self.renamed(item) for item in value]
        if isinstance(value, tuple):  # what has no order is kept sorted
            return tuple(sorted(self.renamed(item) for item in value))
        return self._text(value) if isinstance(value, str) else value

    def _text(self, text: str) -> str:
        (name, address), (our_name, our_address) = self.theirs, self.ours
        if name != our_name:
            text = re.sub(rf"(etcd-(?:{KINDS})-){re.escape(name)}(?![\w-])", rf"\g<1>{our_name}", text)
        if address != our_address:
            before, after = r"(?<![\w.])(?<![0-9a-f]:)", r"(?![\w.]|:[0-9a-f]*:)"
            text = re.sub(f"{before}{re.escape(address)}{after}", our_address, text)
        return text


def host(folder: Folder) -> Host:
    name, addresses = folder.bootstrap
    ours = (name, addresses[0] if addresses else "")
    side = folder.rendered.get(OPERATOR)
    return Host(theirs=_of(side) or ours, ours=ours) if side else Host(theirs=ours, ours=ours)


def _of(side: Side) -> tuple[str, str] | None:
    names = [thing.removeprefix(PEER) for thing in side.objects if thing.startswith(PEER)]
    about = (side.objects.get(ENDPOINTS) or {}).get("metadata") or {}
    address = (about.get("annotations") or {}).get(BOOTSTRAP)
    return (names[0], str(address).strip("[]")) if len(names) == 1 and address else None


def differences(found: Host) -> Iterator[Difference]:
    for aspect, theirs, ours in zip(("name", "address"), found.theirs, found.ours, strict=True):
        if theirs != ours:
            yield Difference("rendering machine", aspect, theirs, ours, "files", OPERATOR)
