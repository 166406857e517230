"""Files and services of the load balancer on the host: written, started, removed."""

from __future__ import annotations

from hardway.libvirt.balancer.wanted import CONFIGS, UNITS
from hardway.libvirt.host import Host
from hardway.model.errors import ToolError
from hardway.tools.run import attempt, explain, run

LINES = 5  # of the journal, where a service does not start


def write(host: Host, path: str, text: str) -> None:
    host.write(path, text)
    _reread(host, path)


def erase(host: Host, path: str) -> None:
    """The folder of a configuration goes with it, if nothing else is in it."""
    run(host.command("rm", "-f", "--", path))
    if path.startswith(f"{CONFIGS}/"):
        run(host.command("rmdir", "--parents", "--ignore-fail-on-non-empty", "--", path.rpartition("/")[0]))
    _reread(host, path)


def start(host: Host, unit: str) -> None:
    _must(host, "start", unit)


def restart(host: Host, unit: str) -> None:
    _must(host, "restart", unit)


def reload(host: Host, unit: str) -> None:
    _must(host, "reload", unit)


def enable(host: Host, unit: str) -> None:
    run(host.command("systemctl", "enable", "--quiet", unit))


def remove(host: Host, unit: str) -> None:
    run(host.command("systemctl", "disable", "--quiet", "--now", unit))


def _must(host: Host, verb: str, unit: str) -> None:
    """A port that another program has shows in the service's own log alone."""
    done = attempt(host.command("systemctl", verb, unit))
    if done.ok:
        return
    log = attempt(host.command("journalctl", "--unit", unit, "--lines", str(LINES), "--no-pager", "--output", "cat"))
    lines = "".join(f"\n    {line}" for line in log.output.splitlines() if line.strip())
    fix = (
        f"read `journalctl --unit {unit}` on the host; if another program has a port of the load balancer, stop it, or "
        "leave this service out with --no-balancer"
    )
    raise ToolError(f"{explain(done)}{lines}\n    fix: {fix}")


def _reread(host: Host, path: str) -> None:
    """systemd keeps units in memory."""
    if path.startswith(f"{UNITS}/"):
        run(host.command("systemctl", "daemon-reload"))
