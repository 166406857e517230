"""Old names to new ones, then the defaults: what the installer does to a file before it checks it."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from hardway.model.config.reading import Reading
from hardway.model.config.table import FieldRow, Shape

_RENAMED = (("clusterNetworks", "clusterNetwork"), ("type", "networkType"))
_WRAPPED = (("machineCIDR", "machineNetwork", "[0].cidr"), ("serviceCIDR", "serviceNetwork", "[0]"))


def convert(reading: Reading) -> None:
    """Give deprecated fields their new names, in place. They stay under the old ones too, as in the installer."""
    values = reading.values
    if values.get("apiVersion") in ("v1beta3", "v1beta4"):
        values["apiVersion"] = "v1"
    networking = values.get("networking")
    if networking is None:
        return
    for old, new in _RENAMED:
        if _takes_over(reading, networking, old, new):
            networking[new] = networking.get(old)
            _move_places(reading, f"networking.{old}", f"networking.{new}")
    for old, new, item in _WRAPPED:
        if _takes_over(reading, networking, old, new):
            networking[new] = [{"cidr": networking.get(old)} if item.endswith("cidr") else networking.get(old)]
            reading.places[f"networking.{new}{item}"] = reading.place(f"networking.{old}")
    if str(networking.get("networkType")).lower() == "openshiftsdn":
        networking["networkType"] = "OpenShiftSDN"
    for entry in networking.get("clusterNetwork") or []:
        _convert_entry(entry)


def _takes_over(reading: Reading, networking: dict[str, Any], old: str, new: str) -> bool:
    if networking.get(new) or reading.is_broken(f"networking.{new}"):
        return False
    if reading.is_broken(f"networking.{old}"):
        reading.broken.add(f"networking.{new}")
        return False
    return bool(networking.get(old))


def _move_places(reading: Reading, old: str, new: str) -> None:
    for path, place in list(reading.places.items()):
        if path == old or path.startswith((f"{old}.", f"{old}[")):
            reading.places[new + path.removeprefix(old)] = place


def _convert_entry(entry: dict[str, Any] | None) -> None:
    if not entry or entry.get("hostPrefix") or not entry.get("hostSubnetLength") or not entry.get("cidr"):
        return
    entry["hostPrefix"] = entry["cidr"].max_prefixlen - entry["hostSubnetLength"]


def fill(reading: Reading, shape: Shape) -> None:
    """Put the table's defaults where nothing is given, in place. A network that could not be read gets none."""
    values = reading.values
    networking = values.setdefault("networking", {})
    for name in ("machineNetwork", "serviceNetwork", "clusterNetwork"):
        if reading.is_broken(f"networking.{name}"):
            networking.setdefault(name, [None])
    pools = values.setdefault("compute", [])
    if not any(pool and pool.get("name") == "worker" for pool in pools):
        pools.append({"name": "worker"})
    _fill(values, shape)
    values["controlPlane"]["name"] = "master"


def _fill(values: dict[str, Any], shape: Shape) -> None:
    for name, child in shape.children.items():
        if child.row and child.row.default is not None and _is_absent(values.get(name), child.row):
            values[name] = deepcopy(child.row.default)
        value = values.get(name)
        if isinstance(value, dict):
            _fill(value, child)
        elif isinstance(value, list) and child.children["[]"].kind == "mapping":
            for item in value:
                if item is not None:
                    _fill(item, child.children["[]"])


def _is_absent(value: Any, row: FieldRow) -> bool:
    return value is None or (row.kind in ("text", "list") and not value)
