"""A zone file as RFC 1035 has it, read: the records that this tool asks about."""

from __future__ import annotations

from pathlib import Path

from hardway.io import plain
from hardway.model.errors import ConfigError
from hardway.network.dns.answer import value_of

KINDS = ("A", "AAAA", "PTR", "SRV", "CNAME")


def read_zone(given: str) -> dict[tuple[str, str], list[str]]:
    """[NAME=]FILE: the zone's name, unless the file is called db.NAME or begins with its $ORIGIN."""
    name, _, file = given.rpartition("=")
    path = Path(file)
    try:
        text = plain.text(path, plain.given, "replace")
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}.\n    fix: give a file that can be read") from None
    guess = path.name.removeprefix("db.") if path.name.startswith("db.") else None
    return records(text, name or guess, file=file, sure=bool(name))


def records(text: str, origin: str | None, *, file: str, sure: bool = True) -> dict[tuple[str, str], list[str]]:
    """Name and kind to values, names complete and in lower case. A guessed origin must be that of the SOA record."""
    from dns.exception import DNSException
    from dns.rdatatype import to_text
    from dns.zone import UnknownOrigin, from_text

    try:
        zone = from_text(text, origin, relativize=False, filename=file, check_origin=False)
    except (UnknownOrigin, ValueError):  # ValueError: the SOA record is that of another zone
        raise _unknown(file) from None
    except DNSException as error:
        raise _refused(file, str(error)) from None
    if zone.origin is None or not (sure or zone.get_rdataset(zone.origin, "SOA")):
        raise _unknown(file)
    found: dict[tuple[str, str], list[str]] = {}
    for name, _, data in zone.iterate_rdatas():
        if (kind := to_text(data.rdtype)) in KINDS:
            found.setdefault((name.to_text(omit_final_dot=True).lower(), kind), []).append(value_of(data))
    return found


def _unknown(file: str) -> ConfigError:
    return ConfigError(f"{file}: the zone's name is missing.\n    fix: write it before the file, as example.com={file}")


def _refused(file: str, said: str) -> ConfigError:
    """The library may have read the end of the line already when it meets the error."""
    if said.startswith(f"{file}:"):
        line, _, said = said.removeprefix(f"{file}:").partition(": ")
        said = f"{said.rstrip('.')} (line {line}, or the one before)"
    fix = "give a zone that `named-checkzone` accepts; what $INCLUDE names must stand in the file itself"
    return ConfigError(f"{file}: {said.rstrip('.')}.\n    fix: {fix}")
