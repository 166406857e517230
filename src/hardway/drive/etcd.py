"""etcd as its members tell it: through the JSON gateway that every member has beside gRPC, as etcd's client."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hardway.drive.client import LONGEST, Trouble
from hardway.drive.wire import Endpoint, Identity, Unanswered, Wire

CLIENT_PORT = 2379


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A row of the member list. A member that was added and has never run has no name yet."""

    id: int
    name: str
    peers: tuple[str, ...]
    learner: bool = False

    @property
    def started(self) -> bool:
        return bool(self.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """What a member says of itself."""

    id: int
    leader: int  # 0: it knows none
    index: int  # how far its log reaches
    applied: int
    learner: bool = False
    errors: tuple[str, ...] = ()

    @property
    def healthy(self) -> bool:
        return bool(self.leader) and not self.errors


class Etcd:
    """One or several members that may be asked; each of them knows all."""

    def __init__(self, endpoints: Sequence[Endpoint], identity: Identity, *, seconds: float = 5.0) -> None:
        self._wire = Wire(endpoints, identity, seconds=seconds)

    def members(self) -> tuple[Member, ...] | Trouble:
        """As a majority has it: without one there is no answer, and nothing to base a step on."""
        said = self._call("cluster/member/list", linearizable=True)
        return said if isinstance(said, Trouble) else tuple(_member(row) for row in said.get("members", ()))

    def status(self) -> Status | Trouble:
        said = self._call("maintenance/status")
        if isinstance(said, Trouble):
            return said
        return Status(
            id=int(said["header"]["member_id"]),
            leader=int(said.get("leader", 0)),
            index=int(said.get("raftIndex", 0)),
            applied=int(said.get("raftAppliedIndex", 0)),
            learner=bool(said.get("isLearner")),
            errors=tuple(said.get("errors") or ()),
        )

    def own(self, key: str) -> bytes | Trouble:
        """A value as this very member has it, whether or not the others agree; empty if it has none."""
        said = self._call("kv/range", key=b64encode(key.encode()).decode(), serializable=True)
        if isinstance(said, Trouble):
            return said
        return b"".join(b64decode(row.get("value", "")) for row in said.get("kvs", ()))

    def add_learner(self, peer: str) -> Trouble | None:
        return self._do("cluster/member/add", peerURLs=[peer], isLearner=True)

    def promote(self, member: int) -> Trouble | None:
        """Refused by etcd itself as long as the learner lags behind."""
        return self._do("cluster/member/promote", ID=str(member))

    def remove(self, member: int) -> Trouble | None:
        return self._do("cluster/member/remove", ID=str(member))

    def move_leader(self, target: int) -> Trouble | None:
        """Only the leader can hand its office over."""
        return self._do("maintenance/transfer-leadership", targetID=str(target))

    def _do(self, what: str, **body: Any) -> Trouble | None:
        said = self._call(what, **body)
        return said if isinstance(said, Trouble) else None

    def _call(self, what: str, **body: Any) -> Mapping[str, Any] | Trouble:
        answer = self._wire.request("POST", f"/v3/{what}", json.dumps(body).encode())
        if isinstance(answer, Unanswered):
            return Trouble(kind="unanswered", message=f"no answer from {answer.reason}")
        try:
            said = json.loads(answer.body)
        except (ValueError, RecursionError):
            said = None
        if answer.code == 200 and isinstance(said, dict):
            return said
        words = said.get("message") or said.get("error") if isinstance(said, dict) else ""
        return Trouble(kind="broken", message=f"etcd: {str(words or answer.code)[:LONGEST]}", code=answer.code)


def _member(row: Mapping[str, Any]) -> Member:
    return Member(
        id=int(row["ID"]),
        name=row.get("name", ""),
        peers=tuple(row.get("peerURLs") or ()),
        learner=bool(row.get("isLearner")),
    )
