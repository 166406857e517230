"""What has to change on the host so that the load balancer runs there as planned. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import ndiff

from hardway.libvirt.balancer.seen import Services, Unit
from hardway.libvirt.balancer.unit import ADDRESSES, BALANCER
from hardway.libvirt.balancer.wanted import PROGRAM, UNITS, config_path, files, unit_name, unit_path
from hardway.libvirt.change import Change
from hardway.libvirt.choices import Choices
from hardway.libvirt.identity import Identity
from hardway.libvirt.preparation import addresses_to_record
from hardway.libvirt.world import Seen
from hardway.model.cluster import Cluster
from hardway.model.errors import ToolError

WITHOUT = "leave the load balancer to yourself with --no-balancer"
SHOWN = 3  # lines of a file that differs
PURPOSE = {
    ADDRESSES: "It puts the load balancer's addresses on the bridge, again after a reboot of the host.",
    BALANCER: "It balances the API and the routes, and starts with the host.",
}
OFF = Unit(state="inactive", enabled=False)


def wanted_here(choices: Choices) -> bool:
    return choices.vips and choices.balancer


def service_changes(
    cluster: Cluster, identity: Identity, choices: Choices, seen: Seen, gone: tuple[str, ...]
) -> list[Change]:
    """Where systemd does not run, nothing: the load balancer is then its owner's."""
    if seen.services is None:
        return []
    if not wanted_here(choices):
        return list(service_removals(seen.services, "the load balancer no longer runs here"))
    _refuse_strangers(seen.services)
    addresses = addresses_to_record(cluster, choices, seen)
    wanted = files(cluster, identity, choices.bridge, addresses, gone)
    found = [*_left(identity, wanted, seen.services), *_made(identity, wanted, seen.services)]
    if found:
        _demand(seen.services)
    return found


def service_removals(seen: Services, why: str) -> Iterator[Change]:
    units = [path for path in seen.files if path.startswith(f"{UNITS}/")]
    for path in reversed(units):  # HAProxy before its addresses
        yield Change(action="remove", kind="service", name=_base(path), reasons=(f"{why}: it is stopped first",))
    for path in seen.files:
        yield Change(action="remove", kind="file", name=path, reasons=(why,))


def _left(identity: Identity, wanted: Mapping[str, str], seen: Services) -> Iterator[Change]:
    """The service for addresses, in a cluster whose network brings its own now."""
    path = unit_path(identity, ADDRESSES)
    if path in seen.files and path not in wanted:
        why = "the plan no longer has addresses on a bridge"
        yield Change(action="remove", kind="service", name=_base(path), reasons=(why,))
        yield Change(action="remove", kind="file", name=path, reasons=(why,))


def _made(identity: Identity, wanted: Mapping[str, str], seen: Services) -> Iterator[Change]:
    changed = {path for path, text in wanted.items() if seen.files.get(path) != text}
    for path in (path for path in wanted if path in changed):
        yield _file(path, wanted[path], seen.files.get(path))
    for unit in (ADDRESSES, BALANCER):
        if unit_path(identity, unit) in wanted:
            yield from _service(identity, unit, changed, seen)


def _service(identity: Identity, unit: str, changed: set[str], seen: Services) -> Iterator[Change]:
    name, path = unit_name(identity, unit), unit_path(identity, unit)
    now = seen.units.get(name, OFF)
    if not now.enabled:
        yield _change("autostart", name, "it must start with the host")
    if not now.active:
        yield _change("start", name, f"it is {'not there' if path not in seen.files else now.state}. {PURPOSE[unit]}")
    elif path in changed:
        yield _change("restart", name, "its unit changes")
    elif unit == BALANCER and config_path(identity) in changed:
        yield _change("reload", name, "its configuration changes; connections stay")


def _change(action: str, name: str, why: str) -> Change:
    return Change(action=action, kind="service", name=name, reasons=(why,))


def _file(path: str, text: str, before: str | None) -> Change:
    if before is None:
        return Change(action="create", kind="file", name=path, reasons=("it is not there",), document=text)
    lines = [line for line in ndiff(before.splitlines(), text.splitlines()) if line[0] in "+-" and line[2:].strip()]
    rest = len(lines) - SHOWN
    told = [f"{line[0]} {line[2:].strip()}" for line in lines[:SHOWN]] + ([f"{rest} more"] if rest > 0 else [])
    return Change(action="change", kind="file", name=path, reasons=tuple(told) or ("it differs",), document=text)


def _demand(seen: Services) -> None:
    if not seen.program:
        fix = f"install haproxy on the host, or {WITHOUT}"
        raise ToolError(f"{PROGRAM}: is not on the host, and the load balancer is to run there.\n    fix: {fix}")
    if not seen.writable:
        fix = f"run this as root, or {WITHOUT}"
        raise ToolError(f"{UNITS}: the services of the load balancer cannot be written there.\n    fix: {fix}")


def _refuse_strangers(seen: Services) -> None:
    for path in seen.strangers:
        fix = f"rename or remove it yourself if it is not needed, or {WITHOUT}"
        raise ToolError(f"{path} is there without this cluster's mark, so it is left alone.\n    fix: {fix}")


def _base(path: str) -> str:
    return path.rpartition("/")[2]
