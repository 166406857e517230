"""What openshift-install 4.18 wrote: two whole descriptions, and what changes in them under other install-configs."""

from __future__ import annotations

import json
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent.parent / "data"
WHOLE = {name: DATA / "installer-output" / f"{name}.json" for name in ("3+2", "3+0")}
MANIFEST_MODE = 0o644


@cache
def changes() -> dict[str, Any]:
    """By configuration: its install-config, and each document as it is then; null where it is not there."""
    found: dict[str, Any] = json.loads((DATA / "installer-changes.json").read_text())
    return found


def description(name: str) -> dict[str, Any]:
    """The description of a configuration, put together from the whole one and its changes."""
    whole: dict[str, Any] = json.loads(WHOLE.get(name, WHOLE["3+2"]).read_text())
    if name in WHOLE:
        return whole
    given = changes()[name]
    whole["install-config"] = deepcopy(given["install-config"])
    for part in ("certificates", "kubeconfigs"):
        whole[part] = json.loads(_renamed(json.dumps(whole[part]), given["install-config"]))
    for path, bodies in given["documents"].items():
        known = {f["path"]: f for f in whole["files"]}
        known.pop(path, None) if bodies is None else known.setdefault(path, _file(path))
        whole["files"] = list(known.values())
        whole["documents"].pop(path, None) if bodies is None else whole["documents"].update({path: bodies})
    return whole


def _renamed(text: str, install_config: dict[str, Any]) -> str:
    """Names and addresses follow from the install-config in certificates and kubeconfigs."""
    name, domain = install_config["metadata"]["name"], install_config["baseDomain"].rstrip(".")
    services = install_config.get("networking", {}).get("serviceNetwork", ["172.30.0.0/16"])
    text = text.replace("ocp4.example.com", f"{name}.{domain}").replace('"ocp4"', f'"{name}"')
    return text.replace("172.30.0.1", services[0].partition("/")[0] + "1") if ":" in services[0] else text


def _file(path: str) -> dict[str, Any]:
    return {"path": path, "mode": MANIFEST_MODE, "owner": "root", "overwrite": True, "append": False}


def write(name: str, folder: Path) -> Path:
    target = folder / f"{name}.json"
    target.write_text(json.dumps(description(name)))
    return target
