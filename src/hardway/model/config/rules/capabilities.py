"""Optional parts of the release."""

from __future__ import annotations

from collections.abc import Iterator

from hardway.model.config.draft import Draft
from hardway.model.config.rules.rule import Flaw, Rule, error

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


RULES = (
    Rule("capabilities.baseline", ("capabilities.baselineCapabilitySet",), _baseline),
    Rule("capabilities.ingress", ("capabilities",), _ingress),
    Rule("capabilities.marketplace", ("capabilities",), _marketplace),
)
