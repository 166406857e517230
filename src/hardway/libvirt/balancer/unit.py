"""THE TABLE of the services on the host: one row a setting of a unit, with its reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from hardway.model.why import Why, because
from hardway.network.mark import comment

SYSTEMD = "systemd.unit(5), systemd.service(5), systemd.device(5)"
HAPROXY = "docs.haproxy.org: management guide, starting HAProxy; stopping and restarting HAProxy"
Value = str | Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    unit: str  # which of the services
    section: str
    key: str
    value: str  # with names of what `texts` is given
    why: Why


def _of(unit: str, section: str, *rows: tuple[str, str, Why]) -> tuple[Setting, ...]:
    return tuple(Setting(unit=unit, section=section, key=key, value=value, why=why) for key, value, why in rows)


def _why(what: str, breaks: str = "", source: str = SYSTEMD) -> Why:
    return because(what, readers="systemd", breaks=breaks, source=source)


BALANCER, ADDRESSES = "haproxy", "addresses"

TABLE: tuple[Setting, ...] = (
    *_of(
        BALANCER,
        "Unit",
        ("Description", "Load balancer of {cluster}", _why("Names the cluster in `systemctl status`.")),
        (
            "Wants",
            "network-online.target",
            _why("The network of the host is brought up first.", breaks="nodes on a bridge are called dead at first"),
        ),
        (
            "After",
            "network-online.target libvirtd.service virtnetworkd.service {addresses_unit}",
            _why(
                "libvirt, or the service for addresses on a bridge, puts the addresses there that HAProxy listens at.",
                breaks="its first start fails: cannot bind socket",
            ),
        ),
        (
            "StartLimitIntervalSec",
            "0",
            _why(
                "It is started again without end: libvirt may take long to put the addresses on its bridge.",
                breaks="after five failures it stays off, and the API does not answer after a reboot of the host",
            ),
        ),
    ),
    *_of(
        BALANCER,
        "Service",
        (
            "Type",
            "notify",
            _why(
                "It is started when its ports are bound, and not before.",
                breaks="`infra up` ends too early",
                source=HAPROXY,
            ),
        ),
        (
            "ExecStart",
            "{program} -Ws -f {config}",
            _why(
                "A master process and a worker: the master stays when the configuration is read again.",
                breaks="a change of the configuration cuts connections",
                source=HAPROXY,
            ),
        ),
        (
            "ExecReload",
            "{reload}",
            _why(
                "The configuration is tested, then a new worker takes the ports over; connections of the old one stay.",
                breaks="a change of the configuration needs a restart, which cuts every watch (F25)",
                source=HAPROXY,
            ),
        ),
        (
            "ExecStopPost",
            "/bin/rm -f {socket}",
            _why("Its admin socket goes with it.", breaks="a program that asks there gets `connection refused`"),
        ),
        ("KillMode", "mixed", _why("The master alone is asked to end, and ends its workers.", source=HAPROXY)),
        ("SuccessExitStatus", "143", _why("How it ends when it is asked to: 128 and SIGTERM.", source=HAPROXY)),
        ("Restart", "always", _why("It comes back, whatever ended it.", breaks="no node and no user reaches the API")),
        ("RestartSec", "2", _why("Not at once: an address that is missing may come.")),
    ),
    *_of(
        BALANCER,
        "Install",
        ("WantedBy", "multi-user.target", _why("It starts with the host.", breaks="no API after a reboot of the host")),
    ),
    *_of(
        ADDRESSES,
        "Unit",
        ("Description", "Load balancer's addresses of {cluster}", _why("Names the cluster in `systemctl status`.")),
        (
            "BindsTo",
            "{device}",
            _why("It is as long there as the bridge is.", breaks="a bridge that is made again has no addresses"),
        ),
        ("After", "{device}", _why("The bridge must be there.", breaks="ip: Cannot find device")),
    ),
    *_of(
        ADDRESSES,
        "Service",
        ("Type", "oneshot", _why("It does something and ends.")),
        ("RemainAfterExit", "yes", _why("It counts as running afterwards, so that its state can be seen.")),
        (
            "ExecStart",
            "{add}",
            _why(
                "The load balancer's addresses, as addresses of the host alone. One that is there stays.",
                breaks="after a reboot of the host nothing listens at api and *.apps",
                source="ip-address(8)",
            ),
        ),
    ),
    *_of(
        ADDRESSES,
        "Install",
        ("WantedBy", "{device}", _why("It starts when the bridge appears, also if that is late or again.")),
    ),
)


def text(unit: str, first: str, given: Mapping[str, Value]) -> str:
    """A whole unit file, with the reasons. `first` is its first line; a value may be several lines of the same key."""
    return "\n".join([first, *_lines(unit, given)]) + "\n"


def _lines(unit: str, given: Mapping[str, Value]) -> Iterator[str]:
    for section, rows in groupby((row for row in TABLE if row.unit == unit), key=lambda row: row.section):
        yield from ("", f"[{section}]")
        for row in rows:
            yield from comment(row.why.what)
            yield from (f"{row.key}={value}" for value in _values(row, given))


def _values(row: Setting, given: Mapping[str, Value]) -> Sequence[str]:
    """Several values stand alone in their row."""
    several = given.get(row.value.strip("{}"))
    if several is not None and not isinstance(several, str):
        return several
    return (row.value.format(**given).rstrip(),)
