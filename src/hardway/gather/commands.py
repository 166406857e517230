"""What is asked of a machine, one program each; none of them changes anything."""

from __future__ import annotations

from dataclasses import dataclass

from hardway.model.cluster import Cluster, Node

LINES, TAIL, LOGS = 20_000, 200_000, 80
"""Lines of a journal, bytes of a container's log, and logs of one machine."""
NAMES = """for name; do
  echo "$name: $(getent ahosts "$name" | cut -d' ' -f1 | sort -u | tr '\\n' ' ')"
done
"""
PORTS = """for place; do
  { timeout 3 bash -c 'exec 3<>"/dev/tcp/$0/$1"' "${place% *}" "${place##* }" 2>/dev/null \\
    && echo "$place open" || echo "$place closed"; } &
done
wait
"""
POD_LOGS = """cd /var/log/pods || exit 1
ls -t openshift-*/*/*.log kube-*/*/*.log 2>/dev/null | head -n "$2" | while read -r file; do
  printf '%s %s\\n' "$1" "$file"
  tail -c "$3" -- "$file"
  echo
done
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    file: str
    what: str
    argv: tuple[str, ...]


def commands(cluster: Cluster) -> tuple[Command, ...]:
    console = f"console-openshift-console.apps.{cluster.domain}"
    names = (cluster.api_host, cluster.api_int_host, console, *(node.name for node in cluster.nodes))
    rows = (
        ("journal.log", "the journal", ("journalctl", "--no-pager", "--output=short-iso", f"--lines={LINES}")),
        ("units.txt", "units that failed", ("systemctl", "--failed", "--no-pager", "--plain")),
        ("containers.txt", "containers, also those that ended", ("crictl", "ps", "--all")),
        ("addresses.txt", "network addresses", ("ip", "address")),
        ("routes.txt", "routes", ("ip", "route")),
        ("listening.txt", "open ports", ("ss", "-tlnp")),
        ("resolv.conf", "name servers", ("cat", "/etc/resolv.conf")),
        ("clock.txt", "the clock", ("date", "--utc", "+%Y-%m-%dT%H:%M:%SZ")),
        ("disks.txt", "disks", ("df", "-h")),
        ("memory.txt", "memory", ("free", "-m")),
        ("names.txt", "what names resolve to there", ("sh", "-c", NAMES, "sh", *names)),
        ("ports.txt", "which ports are reached from there", ("sh", "-c", PORTS, "sh", *_places(cluster))),
    )
    return tuple(Command(file=file, what=what, argv=argv) for file, what, argv in rows)


def _places(cluster: Cluster) -> list[str]:
    masters: list[tuple[Node, tuple[int, ...]]] = [(node, (6443, 22623, 2379, 2380)) for node in cluster.masters]
    nodes = [*masters, *((node, (10250,)) for node in (*cluster.masters, *cluster.workers))]
    behind = [(address, port) for address in cluster.api_vips for port in (6443, 22623)]
    behind += [(address, port) for address in cluster.ingress_vips for port in (80, 443)]
    own = [(node.address, port) for node, ports in nodes for port in ports]
    return [f"{address} {port}" for address, port in dict.fromkeys([*behind, *own])]


def pod_logs(mark: str) -> tuple[str, ...]:
    return ("sh", "-c", POD_LOGS, "sh", mark, str(LOGS), str(TAIL))
