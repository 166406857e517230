"""Name servers that are only files yet: what dnsmasq or BIND would answer from a configuration that somebody wrote."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address

from hardway.model.cluster import is_address
from hardway.network.dns.answer import Answer
from hardway.network.dns.records import ADDRESS_KINDS, Kind, kind_of

Records = dict[tuple[str, str], list[str]]  # name and kind to values; a name may begin with `*.`
_ALIASES = 6  # that are followed, one after the other


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Written:
    """A server by its file. dnsmasq's `address=` covers a name and all below it; a zone's `*` only what is below."""

    file: str
    records: Mapping[tuple[str, str], list[str]]
    below: Mapping[tuple[str, str], list[str]] = field(default_factory=dict)
    local: frozenset[str] = frozenset()  # domains of which a name exists for every kind of question

    def __str__(self) -> str:
        return self.file

    def answer(self, name: str, kind: Kind, depth: int = _ALIASES) -> Answer:
        wanted = name.lower().rstrip(".")
        if values := self.records.get((wanted, kind)) or self._covering(wanted, kind):
            return Answer(code="NOERROR", values=tuple(sorted(values)))
        if depth and (alias := self.records.get((wanted, "CNAME")) or self._covering(wanted, "CNAME")):
            return self.answer(alias[0], kind, depth - 1)
        return Answer(code="NOERROR" if self._exists(wanted) else "NXDOMAIN")

    def _covering(self, name: str, kind: str) -> list[str]:
        """The nearest wildcard above; a name that is itself written, in whatever kind, has none."""
        if any(known == name for known, _ in self.records):
            return []
        for domain in _upwards(name):
            if values := self.below.get((domain, kind)):
                return values
            if domain != name and (found := self.records.get((f"*.{domain}", kind))):
                return found
            if domain != name and any(known == domain for known, _ in self.records):
                return []
        return []

    def _exists(self, name: str) -> bool:
        written = any(known == name or known.endswith(f".{name}") for known, _ in self.records)
        wild = any((f"*.{d}", k) in self.records for d in _upwards(name)[1:] for k in ("A", "AAAA"))
        covered = any(known == d and d in self.local for d in _upwards(name) for known, _ in self.below)
        return written or wild or covered


def _upwards(name: str) -> list[str]:
    labels = name.split(".")
    return [".".join(labels[i:]) for i in range(len(labels))]


def _add(records: Records, name: str, kind: str, value: str) -> None:
    found = records.setdefault((name.lower().rstrip("."), kind), [])
    whole = kind in ADDRESS_KINDS and is_address(value)
    found.append(str(ip_address(value)) if whole else value.lower().rstrip("."))


def read_dnsmasq(file: str, text: str) -> Written:
    records: Records = {}
    below: Records = {}
    local: set[str] = set()
    for line in text.splitlines():
        option, _, value = line.partition("#")[0].strip().partition("=")
        if reader := _DNSMASQ.get(option.strip().removeprefix("--")):
            reader(value.strip(), records, below, local)
    return Written(file=file, records=records, below=below, local=frozenset(local))


def _host_record(value: str, records: Records, below: Records, local: set[str]) -> None:
    words = [word.strip() for word in value.split(",")]
    names, addresses = ([w for w in words if is_address(w) == wanted] for wanted in (False, True))
    for name in [n for n in names if not n.isdigit()]:
        for address in addresses:
            _add(records, name, kind_of(address), address)
    for address in addresses:
        pointer = ip_address(address).reverse_pointer
        if names and (pointer, "PTR") not in records:
            _add(records, pointer, "PTR", names[0])


def _address(value: str, records: Records, below: Records, local: set[str]) -> None:
    *domains, target = value.strip("/").split("/")
    for domain in domains if is_address(target) else ():
        _add(below, domain.removeprefix("*."), kind_of(target), target)


def _local(value: str, records: Records, below: Records, local: set[str]) -> None:
    local.update(domain.lower() for domain in value.strip("/").split("/"))


def _pointer(value: str, records: Records, below: Records, local: set[str]) -> None:
    name, _, target = value.partition(",")
    records.pop((name.lower(), "PTR"), None)
    _add(records, name, "PTR", target)


def _service(value: str, records: Records, below: Records, local: set[str]) -> None:
    name, target, port, priority, weight = (*value.split(","), *["0"] * 4)[:5]
    _add(records, name, "SRV", f"{priority} {weight} {port} {target}")


def _alias(value: str, records: Records, below: Records, local: set[str]) -> None:
    *names, target = value.split(",")
    for name in names:
        _add(records, name, "CNAME", target)


_DNSMASQ = {
    "host-record": _host_record,
    "address": _address,
    "local": _local,
    "server": lambda value, *rest: _local(value, *rest) if re.fullmatch(r"/.*/", value) else None,
    "ptr-record": _pointer,
    "srv-host": _service,
    "cname": _alias,
}


def merged(file: str, several: Iterable[Records]) -> Written:
    """Zones together, as one server has them."""
    records: Records = {}
    for found in several:
        for key, values in found.items():
            records.setdefault(key, []).extend(values)
    return Written(file=file, records=records)
