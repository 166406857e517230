"""A master or worker: MCO's render, what the machine-config server would have added, and what only this node has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hardway.emit import ignition
from hardway.ignition import network
from hardway.ignition.base import Base
from hardway.ignition.node.table import HOSTNAME, PROFILE, NodeFile, shared, table
from hardway.ignition.rows import SECRET
from hardway.model.cluster import Cluster, Node
from hardway.model.errors import ConfigError
from hardway.model.problem import Problem

USER = "core"


def shared_rows(base: Base, cluster: Cluster) -> tuple[NodeFile, ...]:
    return shared(base.pool, cluster)


def prepare(base: Base, contents: Mapping[str, bytes], ssh_key: str) -> ignition.Prepared:
    """All that the nodes of a pool share, encoded once. `contents` holds the assets of the rows, by address."""
    rows = [row for row in table(base.pool) if row.make or row.source in contents]
    ours = [_entry(row, base, contents) for row in rows]
    config = base.config
    return ignition.Prepared(
        ignition.Config(
            version=config["ignition"]["version"],
            files=(*_kept(base), *ours),
            units=tuple(base.section("systemd", "units")),
            users=tuple(_users(base.section("passwd", "users"), ssh_key)),
            storage=_without(config.get("storage"), "files"),
            passwd=_without(config.get("passwd"), "users"),
            rest=_without(config, "ignition", "storage", "passwd", "systemd"),
        )
    )


def node_ignition(cluster: Cluster, node: Node, host_keys: Mapping[str, bytes], prepared: ignition.Prepared) -> bytes:
    """One node's complete file. `host_keys`: what only this node has, by path."""
    return prepared.encode(
        [
            ignition.file(HOSTNAME.path, f"{node.name}\n".encode(), HOSTNAME.mode),
            ignition.file(PROFILE.path, network.keyfile(cluster, node).encode(), PROFILE.mode),
            *(ignition.file(path, content, SECRET) for path, content in host_keys.items()),
        ]
    )


def _entry(row: NodeFile, base: Base, contents: Mapping[str, bytes]) -> ignition.Entry:
    content = row.make(base) if row.make else contents[row.source]
    return ignition.file(row.path, content, row.mode)


def _kept(base: Base) -> list[ignition.Entry]:
    """The render's files without those that ours replace; a clash without a rule is refused."""
    rows = table(base.pool)
    rules = {row.path: row.replaces for row in rows}
    files = base.section("storage", "files")
    clashes = [f"{e['path']} is rendered, and this program brings it too" for e in files if rules.get(e["path"]) == ""]
    clashes += ignition.twice([{"path": row.path} for row in rows], base.config.get("storage") or {})
    if clashes:
        raise ConfigError([_clash(base, message) for message in clashes])
    return [entry for entry in files if entry["path"] not in rules]


def _clash(base: Base, message: str) -> Problem:
    return Problem(
        file=base.file,
        line=1,
        column=1,
        path="spec.config.storage",
        message=message,
        fix="take it out of the MachineConfig that adds it, and render again",
        rule="mco.clash",
    )


def _users(users: Sequence[ignition.Entry], ssh_key: str) -> list[ignition.Entry]:
    """Who may log in. Keys in the render win: they are the ones that MCO will keep."""
    merged = [dict(entry) for entry in users]
    core = next((entry for entry in merged if entry["name"] == USER), None)
    if ssh_key and core is None:
        merged.append(ignition.user(USER, [ssh_key]))
    elif ssh_key and core is not None and not core.get("sshAuthorizedKeys"):
        core["sshAuthorizedKeys"] = [ssh_key]
    return merged


def _without(section: Mapping[str, Any] | None, *keys: str) -> dict[str, Any]:
    return {key: value for key, value in (section or {}).items() if key not in keys and value not in (None, {}, [])}
