"""What the API server's configuration file says that no flag can: plugins' settings, audit, OpenShift's own."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from hardway.compare.row import ABSENT, Difference
from hardway.compare.values import fields, pairs

FLAGS = {  # what flags.from_file has taken from the file
    "apiVersion",
    "kind",
    "apiServerArguments",
    "servicesSubnet",
    "corsAllowedOrigins",
    "auditConfig",
}
EMPTY: tuple[Any, ...] = (None, "", [], {})
SERVING = {"bindAddress", "namedCertificates", "cipherSuites", "minTLSVersion"}
POLICY = "audit policy"


def differences(
    theirs: Mapping[str, Any] | None, ours: Mapping[str, Any] | None, audit: Mapping[str, Any] | None
) -> Iterator[Difference]:
    """`audit` is our policy, which is a file of its own."""
    if theirs is None:
        return
    sides = [{place: v for place, v in fields(_rest(config)) if v not in EMPTY} for config in (theirs, ours or {})]
    for place in sorted({*sides[0]} | {*sides[1]}):
        first, second = (side.get(place, ABSENT) for side in sides)
        if first != second:
            yield Difference("configuration file", place, first, second, "config")
    policy = (theirs.get("auditConfig") or {}).get("policyConfiguration") or {}
    yield from (Difference(POLICY, *pair, "config") for pair in pairs(_policy(policy), _policy(audit or {})))


def _rest(config: Mapping[str, Any]) -> dict[str, Any]:
    serving = {k: v for k, v in (config.get("servingInfo") or {}).items() if k not in SERVING}
    audit = {k: v for k, v in (config.get("auditConfig") or {}).items() if k != "policyConfiguration"}
    rest = {key: value for key, value in config.items() if key not in FLAGS}
    return rest | {"servingInfo": serving, "auditConfig": audit}


def _policy(policy: Mapping[str, Any]) -> dict[str, Any]:
    """Rules by what they say. The order matters between rules that speak of the same request; ours has no such two."""
    found = {key: value for key, value in policy.items() if key not in ("rules", "metadata")}
    stages = policy.get("omitStages")
    return found | {f"rule: {_said(rule, stages)}": rule.get("level") for rule in policy.get("rules") or ()}


def _said(rule: Mapping[str, Any], stages: Any) -> str:
    resources = [
        f"{r}.{one['group']}" if one.get("group") else r
        for one in rule.get("resources") or ()
        for r in one.get("resources") or ()
    ]
    rest = {k: v for k, v in rule.items() if k not in ("level", "resources") and (k, v) != ("omitStages", stages)}
    return json.dumps({**({"resources": resources} if resources else {}), **rest} or "everything else")
