"""The machines of a cluster that are on, and a way to ask all of them at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

from hardway.drive.machines import Machines
from hardway.model.cluster import Cluster, Node
from hardway.model.errors import ToolError


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningNodes:
    cluster: Cluster
    machines: Machines
    pool: Executor
    on: tuple[Node, ...]

    def ask(self, commands: Mapping[str, Sequence[str]]) -> dict[str, str]:
        """By the node's name: what its command prints; nothing of a node that cannot be asked."""
        answers = self.pool.map(self._ask, commands, commands.values())
        return {name: said for name, said in zip(commands, answers, strict=True) if said is not None}

    def ask_all(self, argv: Sequence[str]) -> dict[str, str]:
        return self.ask({node.name: argv for node in self.on})

    def _ask(self, name: str, argv: Sequence[str]) -> str | None:
        try:
            return self.machines.run(name, argv).output
        except ToolError:
            return None
