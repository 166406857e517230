"""What a turn may do, as a row: one step that can be repeated, and why it is taken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from hardway.drive.csr.judge import Verdict
from hardway.drive.growth import Step
from hardway.staticpods.masters import Name

Kind = Literal["start", "stop", "approve", "member", "lay", "drop", "retire"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    kind: Kind
    node: str
    text: str  # for people: what is done, and why
    verdict: Verdict | None = None  # approve
    step: Step | None = None  # member
    program: Name | None = None  # lay
    initial_cluster: str = ""  # lay etcd
