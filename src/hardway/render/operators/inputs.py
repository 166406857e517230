"""What an operator renders from: a folder laid out like bootkube's /opt/openshift, filled from our own assets."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from hardway.bootkube.operators.row import OPT, Facts
from hardway.ignition import rendered
from hardway.model.errors import ConfigError, ToolError
from hardway.workspace.folder import Workspace
from hardway.workspace.keep import references

REFERENCES = "image-references"  # below /opt/openshift: bootkube reads it out of the release image


def facts(workspace: Workspace) -> Facts:
    """What of the release the calls are made from; as much as is known of it."""
    return Facts(release=workspace.loaded.cluster.release)


def inputs(workspace: Workspace) -> Mapping[str, bytes]:
    """Path below /opt/openshift to content, as it is when bootkube's first stage has moved openshift/ to manifests/."""
    graph, store = workspace.graph, workspace.store
    documents = [(a, asset.path, asset.why) for a, asset in graph.items()]
    found: dict[str, bytes] = {}
    missing: list[str] = []
    for row in rendered.rows(documents, workspace.loaded.cluster.added):
        content = store.read(graph[row.source].path)
        if content is None:
            missing.append(graph[row.source].path)
        else:
            found[row.path.removeprefix(f"{OPT}/")] = content
    if missing:
        raise ConfigError(_unbuilt(store.root, missing))
    found |= {f"manifests/{Path(p).name}": c for p, c in found.items() if p.startswith("openshift/")}
    return found | {REFERENCES: references(store.root)}


def _unbuilt(root: Path, missing: list[str]) -> str:
    more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
    return (
        f"{root}: what the operators render from is not built: {', '.join(missing[:3])}{more}.\n"
        "    fix: `hardway build 05 06 07`, then this again"
    )


def demand_release(workspace: Workspace) -> None:
    if workspace.loaded.cluster.release.origin == "catalogue":
        raise ToolError(
            "no release is read yet, and operators run from the images of a release.\n"
            "    fix: `hardway build 04`, or --dry-run to see the calls"
        )
