"""What an Ignition file puts on a node: its files and units with their reasons, without their contents."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hardway.checks.files.shapes import mappings, parse_json, text
from hardway.graph.asset import Asset
from hardway.page.html import Html, code, join, table, tag
from hardway.page.site import Site


def contents(site: Site, path: str, asset: Asset) -> Html | None:
    content = site.workspace.store.read(asset.path)
    if content is None:
        return None
    found = parse_json(content)
    node = asset.address.partition("/")[2]
    files = table(("file", "mode", "why"), _files(site, path, node, found), f"Files on {node}", "searched")
    units = table(("unit", "enabled", "why"), _units(site, path, node, found), f"Units of {node}", "searched")
    return join((tag("h2", "Files"), files, tag("h2", "Units"), units))


def _files(site: Site, path: str, node: str, found: Any) -> Iterator[tuple[Html, str, Html | str]]:
    for row in mappings(found, "storage", "files"):
        name = text(row, "path")
        mode = row.get("mode")
        shown = f"{mode:04o}" if isinstance(mode, int) else ""
        yield code(name), shown, _why(site, path, node, "file", name)


def _units(site: Site, path: str, node: str, found: Any) -> Iterator[tuple[Html, str, Html | str]]:
    for row in mappings(found, "systemd", "units"):
        name = text(row, "name")
        enabled = "yes" if row.get("enabled") is True else ""
        yield code(name), enabled, _why(site, path, node, "unit", name)


def _why(site: Site, path: str, node: str, kind: str, name: str) -> Html | str:
    role = next((n.role for n in site.workspace.loaded.cluster.nodes if n.name == node), node)
    for owner in (node, role):
        if found := site.explanations.get(f"{kind}/{owner}:{name}"):
            return site.prose(path, found.why.what)
    return "from MCO's render"
