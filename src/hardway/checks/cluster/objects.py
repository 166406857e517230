"""The objects that tell how a cluster is, wherever they were read from. What is malformed in one reads as nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from hardway.checks.files.shapes import mapping, mappings, text
from hardway.drive.csr.judge import Verdict

Object = Mapping[str, Any]
COLLECTIONS = {
    "Node": "/api/v1/nodes",
    "CertificateSigningRequest": "/apis/certificates.k8s.io/v1/certificatesigningrequests",
    "ClusterOperator": "/apis/config.openshift.io/v1/clusteroperators",
    "ClusterVersion": "/apis/config.openshift.io/v1/clusterversions",
    "FeatureGate": "/apis/config.openshift.io/v1/featuregates",
    "APIService": "/apis/apiregistration.k8s.io/v1/apiservices",
    "Pod": "/api/v1/pods",
    "Event": "/api/v1/events",
}
"""The kinds that are looked at, and where the API has them."""
MINUTE = 60
_ODD = re.compile(r"[^A-Za-z0-9.:_-]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Objects:
    where: str  # they were read from
    now: datetime  # when they were
    of: Mapping[str, tuple[Object, ...]]  # by kind; a kind that could not be read is missing
    verdicts: Mapping[str, Verdict] | None = None  # over pending requests, by name, where a plan is known
    silent: str = ""  # why the API does not answer
    off: Mapping[str, str] | None = (
        None  # machines that should be on, and the failure mode that this is; None: not known
    )

    def __getitem__(self, kind: str) -> tuple[Object, ...]:
        return self.of.get(kind, ())

    def minutes(self, since: object) -> float:
        """From a time of an object until now; nothing, if it is none."""
        began = moment(since)
        return max(0.0, (self.now - began).total_seconds() / MINUTE) if began else 0.0

    @property
    def completed(self) -> bool:
        """Whether the installation, or an update after it, has come to its end once."""
        rows = [row for version in self["ClusterVersion"] for row in mappings(version, "status", "history")]
        return any(text(row, "state") == "Completed" for row in rows)


def sorted_out(found: Iterable[object]) -> dict[str, tuple[Object, ...]]:
    """Objects of any kind, and lists of them, by kind."""
    kinds: dict[str, dict[str, Object]] = {}
    for item in _flat(found):
        kind, name = text(item, "kind"), label(item)
        if kind in COLLECTIONS and name:
            kinds.setdefault(kind, {})[name] = item
    return {kind: tuple(items.values()) for kind, items in kinds.items()}


def _flat(found: Iterable[object]) -> Iterable[dict[str, Any]]:
    for item in found:
        if isinstance(item, dict) and isinstance(item.get("items"), list):
            one = text(item, "kind").removesuffix("List")
            yield from ({"kind": one, **row} for row in mappings(item, "items"))
        elif isinstance(item, dict):
            yield item


def label(item: Object) -> str:
    """Its namespace, if it has one, and its name, which goes into commands to paste: what the API allows in no name is
    not shown."""
    parts = (_ODD.sub("?", text(mapping(dict(item), "metadata"), key))[:253] for key in ("namespace", "name"))
    return "/".join(part for part in parts if part)


def moment(value: object) -> datetime | None:
    if isinstance(value, datetime):
        return value if value.tzinfo else None
    try:
        found = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return found if found and found.tzinfo else None


def conditions(item: Object) -> dict[str, dict[str, Any]]:
    return {text(row, "type"): row for row in mappings(dict(item), "status", "conditions")}


def words(found: Mapping[str, Any]) -> str:
    """A reason and a message, as conditions and containers have them."""
    return ": ".join(part for part in (text(dict(found), "reason"), text(dict(found), "message")) if part)
