"""The feature gates of a release: what its FeatureGate manifests turn on and off, for each feature set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hardway.model.cluster import DEFAULT_FEATURES, PROFILE, Gates
from hardway.release.documents import Document, of_kind, refuse, section

GROUP = "config.openshift.io"


def read(manifests: Mapping[str, bytes], version: str) -> dict[str, Gates]:
    """Gates by feature set, of a self-managed cluster.

    The profile's annotation has to be there, whatever it says: these manifests are for the config operator alone and
    hold the cluster-version operator off with a value other than true.
    """
    found: dict[str, Gates] = {}
    defects: list[str] = []
    for document in of_kind(manifests, "FeatureGate", GROUP):
        if PROFILE not in document.annotations or not _details(document):
            continue
        feature_set = str(section(document.body, "spec").get("featureSet") or DEFAULT_FEATURES)
        gates = _gates(document, version, defects)
        if found.setdefault(feature_set, gates) != gates:
            defects.append(f"{document.file}: another manifest has other gates for the feature set {feature_set}")
    refuse(defects)
    return found


def _details(document: Document) -> list[Any]:
    details = section(document.body, "status").get("featureGates")
    return details if isinstance(details, list) else []


def _gates(document: Document, version: str, defects: list[str]) -> Gates:
    """A manifest leaves the version open, as one for every version; otherwise it has to be the release's."""
    fitting = [d for d in _details(document) if isinstance(d, Mapping) and d.get("version", "") in ("", version)]
    if not fitting:
        defects.append(f"{document.file}: its gates are of another version than {version}")
        return (), ()
    enabled, disabled = _names(fitting[0], "enabled"), _names(fitting[0], "disabled")
    if both := sorted(set(enabled) & set(disabled)):
        defects.append(f"{document.file}: both enabled and disabled: {', '.join(both)}")
    return enabled, disabled


def _names(details: Mapping[str, Any], key: str) -> tuple[str, ...]:
    rows = details.get(key)
    return tuple(
        sorted({str(row["name"]) for row in rows if isinstance(row, Mapping) and row.get("name")} if rows else ())
    )
