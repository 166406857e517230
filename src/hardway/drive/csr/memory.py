"""Which key each node was given its first certificate for: kept in the cluster's folder, for as long as the cluster.

Requests vanish from the API an hour after they were approved. Without a memory of our own, the name of a node that has
not registered yet, or whose Node was deleted, could be given to a second key after that hour.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from hardway.io import atomic, links, plain
from hardway.io.lock import locked
from hardway.model.errors import ConfigError, ToolError

FILE = "approved.json"  # below assets, or beside the list of nodes
LOCK = ".approved.lock"


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    cluster: str = ""  # uid of the namespace kube-system: another cluster from the same folder begins anew
    keys: Mapping[str, str] = field(default_factory=dict)  # digest of the key by node
    replaced: tuple[str, ...] = ()  # nodes that may have another key once, by the operator's word

    def of(self, cluster: str) -> Memory:
        """What it says of this cluster."""
        return self if self.cluster == cluster else Memory(cluster=cluster, replaced=self.replaced)


NOTHING = Memory()


def read(assets: Path) -> Memory:
    path = assets / FILE
    try:
        found = json.loads(links.read(assets / FILE, below=assets))
        keys = {str(node): str(key) for node, key in found["keys"].items()}
        return Memory(cluster=str(found["cluster"]), keys=keys, replaced=tuple(map(str, found["replaced"])))
    except FileNotFoundError:
        return NOTHING
    except plain.NotPlain:
        raise
    except OSError as error:
        raise ToolError(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise ConfigError(
            f"{path} is damaged, so it is unknown which key each node's certificate was approved for.\n"
            "    fix: compare `kubectl get nodes` with your machines, and remove the file if every node is yours"
        ) from None


def note(assets: Path, cluster: str, node: str, key: str) -> bool:
    """Before the approval: a run that is killed between the two finds the same key again. False: somebody else has
    noted another key since it was read."""
    with _alone(assets):
        known = read(assets).of(cluster)
        if known.keys.get(node, key) != key and node not in known.replaced:
            return False
        left = tuple(name for name in known.replaced if name != node)
        _write(assets, replace(known, keys={**known.keys, node: key}, replaced=left))
        return True


def allow(assets: Path, nodes: Iterable[str]) -> None:
    """The operator's word: each of these nodes may have another key, once."""
    with _alone(assets):
        known = read(assets)
        _write(assets, replace(known, replaced=tuple(sorted({*known.replaced, *nodes}))))


@contextmanager
def _alone(assets: Path) -> Iterator[None]:
    """Two programs may approve requests of one cluster at the same time."""
    with ExitStack() as held:
        try:
            assets.mkdir(mode=0o700, parents=True, exist_ok=True)
            held.enter_context(locked(assets / LOCK))
        except plain.NotPlain:
            raise
        except OSError as error:
            raise ToolError(f"cannot write {assets / FILE}: {error.strerror}") from None
        yield


def _write(assets: Path, memory: Memory) -> None:
    try:
        atomic.write(assets / FILE, json.dumps(asdict(memory), indent=1, sort_keys=True).encode(), 0o600)
    except OSError as error:
        raise ToolError(f"cannot write {assets / FILE}: {error.strerror}") from None
