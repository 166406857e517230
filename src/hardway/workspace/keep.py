"""What the cluster's folder keeps of a release that was read."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from hardway.graph.store import Store
from hardway.io import atomic, links
from hardway.io.folder import replace_folder
from hardway.model.cluster import Cluster
from hardway.model.errors import ToolError
from hardway.release import crds
from hardway.release.components import table
from hardway.release.payload.read import Payload
from hardway.workspace.names import CRDS, RELEASE
from hardway.workspace.release import BROUGHT, MANIFESTS, RECORD, record_of, recorded

COMPONENTS = "components.md"
REFERENCES = "image-references"
TRUST = "trust"  # in the record: why the release is believed, and the settings that the reason depends on
LOCAL = ("oci:", "oci-archive:")
RELEASES = {"quay.io/openshift-release-dev/ocp-v4.0-art-dev": "quay.io/openshift-release-dev/ocp-release"}


def keep(
    payload: Payload, asked: str, cluster: Cluster, assets: Path, *, every_crd: bool, trust: Mapping[str, str]
) -> None:
    """Write what later stages take from the release: images and gates, CRDs, every manifest; and why it is believed.
    Nothing is written of a release that turns out to be unusable."""
    selected = crds.select(payload.manifests, feature_set=cluster.feature_set, everything=every_crd)
    release = replace(payload.release(), image=pull_spec(payload))
    record = record_of(asked, release) | {"everyCRD": every_crd, "featureSet": cluster.feature_set, TRUST: dict(trust)}
    files = {f"{MANIFESTS}/{name}": content for name, content in payload.files.items()}
    files[COMPONENTS] = table.markdown(release).encode()
    files[RECORD] = json.dumps(record, indent=1).encode()
    with Store(assets).alone():
        replace_folder(assets / CRDS, selected)
        replace_folder(assets / RELEASE, files)


def pull_spec(payload: Payload) -> str:
    """What the nodes call the release. One that was read from a local file is taken to be where its images are;
    the vendor keeps the two in repositories of their own."""
    if not payload.image.startswith(LOCAL):
        return payload.image
    repositories = Counter(spec.partition("@")[0] for spec in payload.images.values())
    [(repository, _)] = repositories.most_common(1)
    return f"{RELEASES.get(repository, repository)}@{payload.digest}"


def is_kept(asked: str, cluster: Cluster, assets: Path, *, every_crd: bool) -> bool:
    """Whether the folder has this release, with the CRDs that the configuration asks for."""
    record = recorded(assets)
    wanted = {"asked": asked, "everyCRD": every_crd, "featureSet": cluster.feature_set}
    complete = record is not None and BROUGHT in record and (assets / CRDS).is_dir()
    return complete and record is not None and wanted.items() <= record.items()


def trusted(assets: Path) -> dict[str, str]:
    """Why the kept release is believed; empty if nobody wrote it down."""
    found = (recorded(assets) or {}).get(TRUST)
    return found if isinstance(found, dict) else {}


def trust_again(assets: Path, trust: Mapping[str, str]) -> None:
    """Another reason for the release that is kept."""
    record = {**(recorded(assets) or {}), TRUST: dict(trust)}
    atomic.write(assets / RELEASE / RECORD, json.dumps(record, indent=1).encode())


def references(assets: Path) -> bytes:
    """The payload's list of images, as its own programs read it."""
    path = assets / RELEASE / MANIFESTS / REFERENCES
    try:
        return links.read(path, below=assets)
    except FileNotFoundError:
        message = f"{path}: there is no such file.\n    fix: remove {assets / RELEASE}, and read the release again"
        raise ToolError(f"{message} with `hardway build 04`") from None
