"""Features beyond the supported ones."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hardway.model.config.draft import Draft
from hardway.model.config.rules.rule import Flaw, Rule, error, warn

_GATE = r"([^=]*)=(1|t|T|TRUE|true|True|0|f|F|FALSE|false|False)"


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
    Rule("feature-gates.custom", ("featureGates", "featureSet"), _custom_only),
    Rule("feature-gates.form", ("featureGates",), _form),
    Rule("feature-set.no-upgrade", ("featureSet",), _no_upgrade),
)
