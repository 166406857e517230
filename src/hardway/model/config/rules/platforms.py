"""This tool makes platform none."""

from __future__ import annotations

from collections.abc import Iterator

from hardway.model.config.draft import Draft
from hardway.model.config.rules.rule import Flaw, Rule, error, warn

_MOVE = "write platform: {none: {}} and bring machines, DNS and load balancer yourself"


def _platform(draft: Draft) -> Iterator[Flaw]:
    given = draft.values.get("platform") or {}
    for name in given:
        if name == "external" and "none" in given:
            yield warn(f"platform.{name}", "is ignored beside platform none", "remove it")
        elif name != "none":
            message = (
                f"platform {name} has its own code for machines, DNS and load balancer; this tool supports none only"
            )
            yield error(f"platform.{name}", message, _MOVE)
    if not given:
        yield error("platform", "names no platform", "write platform: {none: {}}")


def _pools(draft: Draft) -> Iterator[Flaw]:
    for pool in (draft.control_plane, *draft.compute):
        for name in pool.platforms:
            path = f"{pool.path}.platform.{name}"
            if name == "nutanix":  # the one stanza that the installer forgets to refuse
                yield warn(path, "is ignored: the platform is none, not nutanix", "remove it")
            else:
                yield error(path, f"describes machines of {name}, but the platform is none", "remove it")


RULES = (
    Rule("platform.other", ("platform",), _platform),
    Rule("pool.platform", (), _pools),
)
