"""Whatever an Ignition config says beyond what is looked at elsewhere: none of it may go by unseen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

SECTIONS = {"ignition": {"version"}, "storage": {"files"}, "systemd": {"units"}, "passwd": {"users"}}
FILE = {"path", "mode", "overwrite", "user", "contents", "append"}
UNIT = {"name", "enabled", "mask", "contents", "dropins"}


def by_name(entries: Iterable[Any], key: str) -> dict[str, Any]:
    """Entries by what they are called; TypeError if one is no entry of an Ignition config."""
    found = list(entries)
    if not all(isinstance(entry, Mapping) and isinstance(entry.get(key), str) for entry in found):
        raise TypeError(f"an entry without {key}")
    return {entry[key]: entry for entry in found}


def of_config(config: Mapping[str, Any]) -> dict[str, Any]:
    """Sections, fields of sections, and entries that are there twice."""
    found = dict(_beyond(config, SECTIONS))
    for section, known in SECTIONS.items():
        found |= {f"{section}.{key}": value for key, value in _beyond(config.get(section) or {}, known)}
    return found | _twice(config)


def of_file(entry: Mapping[str, Any]) -> dict[str, Any]:
    found = dict(_beyond(entry, FILE))
    found |= {f"user.{key}": value for key, value in _beyond(entry.get("user") or {}, {"name"})}
    sources = [("contents", entry.get("contents") or {})]
    sources += [(f"append[{index}]", part) for index, part in enumerate(entry.get("append") or ())]
    for place, part in sources:
        found |= {f"{place}.{key}": value for key, value in _beyond(part, {"source"})}
        if not str(part.get("source") or "data:").startswith("data:"):
            found[f"{place}.source"] = part["source"]
    if entry.get("append") and entry.get("contents"):
        found["contents"] = "beside append"
    return found


def of_unit(entry: Mapping[str, Any]) -> dict[str, Any]:
    found = dict(_beyond(entry, UNIT))
    for index, part in enumerate(entry.get("dropins") or ()):
        found |= {f"dropins[{index}].{key}": value for key, value in _beyond(part, {"name", "contents"})}
    return found


def _beyond(said: Mapping[str, Any], known: Iterable[str]) -> Iterator[tuple[str, Any]]:
    """What is not known and says something: Ignition takes null and empty as not said."""
    return ((key, value) for key, value in said.items() if key not in known and value not in (None, "", [], {}))


def _twice(config: Mapping[str, Any]) -> dict[str, Any]:
    lists = {"storage.files": "path", "systemd.units": "name", "passwd.users": "name"}
    found: dict[str, Any] = {}
    for place, key in lists.items():
        section, _, name = place.partition(".")
        counts = Counter(entry[key] for entry in (config.get(section) or {}).get(name) or ())
        found |= {f"{place}: {entry}": f"{count} times" for entry, count in counts.items() if count > 1}
    return found
