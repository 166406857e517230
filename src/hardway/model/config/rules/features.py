"""Optional parts of the release, and features beyond the supported ones."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hardway.model.config.draft import Draft
from hardway.model.config.rules.rule import Flaw, Rule, error, warn

_GATE = r"([^=]*)=(1|t|T|TRUE|true|True|0|f|F|FALSE|false|False)"
_ADDITIONAL = "capabilities.additionalEnabledCapabilities"


def _baseline(draft: Draft) -> Iterator[Flaw]:
    if "capabilities" in draft.values and not draft.text("capabilities.baselineCapabilitySet"):
        path = "capabilities.baselineCapabilitySet"
        yield error(path, "must be set when capabilities is given", "write vCurrent, or remove capabilities")


def _enabled(draft: Draft) -> frozenset[str] | None:
    baseline = draft.text("capabilities.baselineCapabilitySet")
    if not baseline:
        return None
    additional = draft.values["capabilities"].get("additionalEnabledCapabilities") or ()
    return draft.line.capability_sets[baseline].union(additional)


def _ingress(draft: Draft) -> Iterator[Flaw]:
    enabled = _enabled(draft)
    if enabled is not None and "Ingress" not in enabled:
        message = "leave out Ingress, which is mandatory on a self-managed cluster"
        yield error("capabilities", message, f"add Ingress to {_ADDITIONAL}")


def _marketplace(draft: Draft) -> Iterator[Flaw]:
    enabled = _enabled(draft)
    if enabled and "marketplace" in enabled and "OperatorLifecycleManager" not in enabled:
        message = "enable marketplace without OperatorLifecycleManager, which it needs"
        yield error("capabilities", message, f"add OperatorLifecycleManager to {_ADDITIONAL}")


def _custom_only(draft: Draft) -> Iterator[Flaw]:
    if draft.values.get("featureGates") and draft.text("featureSet") != "CustomNoUpgrade":
        message = "may be used with featureSet: CustomNoUpgrade only"
        yield error("featureGates", message, "add featureSet: CustomNoUpgrade, or remove featureGates")


def _form(draft: Draft) -> Iterator[Flaw]:
    for index, gate in enumerate(draft.values.get("featureGates") or ()):
        match = re.fullmatch(_GATE, gate)
        if not match:
            message = f"must be Name=true or Name=false, but is {gate[:60]!r}"
            yield error(f"featureGates[{index}]", message, "write SomeFeature=true")
        elif not match[1].strip():
            yield warn(f"featureGates[{index}]", "names no feature", "write SomeFeature=true")


def _no_upgrade(draft: Draft) -> Iterator[Flaw]:
    if draft.text("featureSet"):
        message = "makes a cluster that can never be updated; this cannot be undone"
        yield warn("featureSet", message, "remove it unless the cluster is for a trial")


RULES = (
    Rule("capabilities.baseline", ("capabilities.baselineCapabilitySet",), _baseline),
    Rule("capabilities.ingress", ("capabilities",), _ingress),
    Rule("capabilities.marketplace", ("capabilities",), _marketplace),
    Rule("feature-gates.custom", ("featureGates", "featureSet"), _custom_only),
    Rule("feature-gates.form", ("featureGates",), _form),
    Rule("feature-set.no-upgrade", ("featureSet",), _no_upgrade),
)
