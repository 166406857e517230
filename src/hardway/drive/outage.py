"""Why the API does not answer, from what a turn has seen of everything below it."""

from __future__ import annotations

from collections.abc import Sequence

from hardway.drive.growth import View
from hardway.drive.observation import Observation
from hardway.model.cluster import Cluster
from hardway.staticpods.masters import member_name


class Outage:
    """Keeps the last list of members: without a majority nobody can say who they are."""

    def __init__(self, cluster: Cluster) -> None:
        self._nodes = {member_name(node): node.name for node in cluster.control_plane}
        self._known: View | None = None

    def cause(self, o: Observation) -> str:
        """Empty, if nothing was seen that would keep the API from answering."""
        self._known = o.etcd or self._known
        return self._store(o) or self._servers(o) or self._leader(o)

    def _store(self, o: Observation) -> str:
        voters, ill = self._voters(o)
        if not voters or 2 * (len(voters) - len(ill)) > len(voters):
            return ""
        return f"etcd has no majority: of {len(voters)} voters, {_listed(ill)} does not answer"

    def _leader(self, o: Observation) -> str:
        """A majority is there, and still whoever had asked the one that is away, or a leader that was, waits."""
        _, ill = self._voters(o)
        return f"etcd continues without {_listed(ill)}; requests to it wait" if ill else ""

    def _voters(self, o: Observation) -> tuple[list[str], list[str]]:
        """All that have a vote, and those of them that do not answer."""
        voters = [m.name for m in self._known.members if m.started and not m.learner] if self._known else []
        return voters, [name for name in voters if self._nodes.get(name, name) not in o.etcd_well]

    def _servers(self, o: Observation) -> str:
        if not o.serving:
            return "no API server is ready"
        led = [name for name in o.serving if o.balanced.get(name) == "up"]
        return "" if led else f"the load balancer uses none of the ready API servers ({_listed(sorted(o.serving))})"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names)
