"""Does the changes, one after the other. The first that fails ends it; the next run goes on from there."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from hardway.libvirt.balancer import act as balancer
from hardway.libvirt.change import Change
from hardway.libvirt.firewall import change_rule
from hardway.libvirt.host import Host
from hardway.model.errors import ToolError
from hardway.tools.run import explain
from hardway.tools.virsh import Virsh

STDIN = "/dev/stdin"


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where the changes are made."""

    virsh: Virsh
    host: Host
    pool: str


def apply(target: Target, todo: Iterable[Change], tell: Callable[[Change], None]) -> None:
    for change in todo:
        if change.does:
            ACTIONS[change.kind, change.action](target, change)
        tell(change)


def start_machines(target: Target, names: Iterable[str]) -> list[str]:
    """Switch on those that are off."""
    off = [n for n in names if target.virsh("domstate", n).strip() == "shut off"]
    for name in off:
        target.virsh("start", name)
    return off


def _start_pool(target: Target, change: Change) -> None:
    """Its folder is made if it is not there."""
    target.virsh("pool-build", change.name)
    target.virsh("pool-start", change.name)


def _restart_network(target: Target, change: Change) -> None:
    target.virsh("net-destroy", change.name)
    target.virsh("net-start", change.name)


def _remove_network(target: Target, change: Change) -> None:
    if target.virsh.fields("net-info", change.name).get("Active") == "yes":
        target.virsh("net-destroy", change.name)
    target.virsh("net-undefine", change.name)


def _remove_machine(target: Target, change: Change) -> None:
    if target.virsh("domstate", change.name).strip() != "shut off":
        target.virsh("destroy", change.name)
    target.virsh("undefine", change.name, "--nvram", "--managed-save", "--snapshots-metadata", "--checkpoints-metadata")


def _remove_pool(target: Target, change: Change) -> None:
    """The folder goes only when it is empty; what libvirt does not list (a subfolder) keeps it."""
    if target.virsh.fields("pool-info", change.name).get("State") == "running":
        target.virsh("pool-destroy", change.name)
    done = target.virsh.attempt("pool-delete", change.name)
    if not done.ok:
        raise ToolError(f"{explain(done)}\n    fix: the pool's folder is not empty: check its content, and remove it")
    target.virsh("pool-undefine", change.name)


def _grow(target: Target, change: Change) -> None:
    target.virsh("vol-resize", change.name, f"{change.document}b", "--pool", target.pool)


ACTIONS: dict[tuple[str, str], Callable[[Target, Change], object]] = {
    ("network", "create"): lambda s, c: s.virsh("net-define", STDIN, document=c.document),
    ("network", "change"): lambda s, c: s.virsh("net-define", STDIN, document=c.document),
    ("network", "start"): lambda s, c: s.virsh("net-start", c.name),
    ("network", "restart"): _restart_network,
    ("network", "autostart"): lambda s, c: s.virsh("net-autostart", c.name),
    ("network", "remove"): _remove_network,
    ("address", "add"): lambda s, c: s.host.add(c.name, c.place),
    ("address", "remove"): lambda s, c: s.host.remove(c.name, c.place),
    ("firewall", "add"): lambda s, c: change_rule(s.host, "add", c.place, c.name),
    ("firewall", "remove"): lambda s, c: change_rule(s.host, "remove", c.place, c.name),
    ("file", "create"): lambda s, c: balancer.write(s.host, c.name, c.document),
    ("file", "change"): lambda s, c: balancer.write(s.host, c.name, c.document),
    ("file", "remove"): lambda s, c: balancer.erase(s.host, c.name),
    ("service", "autostart"): lambda s, c: balancer.enable(s.host, c.name),
    ("service", "start"): lambda s, c: balancer.start(s.host, c.name),
    ("service", "restart"): lambda s, c: balancer.restart(s.host, c.name),
    ("service", "reload"): lambda s, c: balancer.reload(s.host, c.name),
    ("service", "remove"): lambda s, c: balancer.remove(s.host, c.name),
    ("pool", "create"): lambda s, c: s.virsh("pool-define", STDIN, document=c.document),
    ("pool", "change"): lambda s, c: s.virsh("pool-define", STDIN, document=c.document),
    ("pool", "start"): _start_pool,
    ("pool", "autostart"): lambda s, c: s.virsh("pool-autostart", c.name),
    ("pool", "remove"): _remove_pool,
    ("disk", "create"): lambda s, c: s.virsh("vol-create", s.pool, STDIN, document=c.document),
    ("disk", "grow"): _grow,
    ("disk", "remove"): lambda s, c: s.virsh("vol-delete", c.name, "--pool", s.pool),
    ("machine", "create"): lambda s, c: s.virsh("define", STDIN, document=c.document),
    ("machine", "change"): lambda s, c: s.virsh("define", STDIN, document=c.document),
    ("machine", "remove"): _remove_machine,
}
