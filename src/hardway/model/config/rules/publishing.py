"""Fields that only mean something on a cloud, and the road without a bootstrap machine."""

from __future__ import annotations

from collections.abc import Iterator

from hardway.model.config.draft import Draft
from hardway.model.config.rules.rule import Flaw, Rule, error, warn


def _publish(draft: Draft) -> Iterator[Flaw]:
    publish = draft.text("publish")
    if publish in ("Internal", "Mixed"):
        yield error("publish", f"{publish} needs a cloud's DNS zones; on none it is External", "remove it")
    elif publish != "External":
        yield error("publish", "must be External on none (Internal and Mixed are for clouds)", "remove it")


def _operators(draft: Draft) -> Iterator[Flaw]:
    if "operatorPublishingStrategy" in draft.values:
        yield error("operatorPublishingStrategy", "belongs to publish: Mixed, which none does not have", "remove it")


def _credentials(draft: Draft) -> Iterator[Flaw]:
    if draft.text("credentialsMode"):
        yield error("credentialsMode", "must not be set on none: there are no cloud credentials", "remove it")


def _in_place(draft: Draft) -> Iterator[Flaw]:
    if "bootstrapInPlace" in draft.values:
        message = "is ignored: it belongs to an installation without a bootstrap machine, and this tool plans one"
        yield warn("bootstrapInPlace", message, "remove it")


def _partitioning(draft: Draft) -> Iterator[Flaw]:
    if draft.text("cpuPartitioningMode") not in ("", "None", "AllNodes"):
        yield warn("cpuPartitioningMode", "is neither None nor AllNodes and counts as None", "write AllNodes or None")


RULES = (
    Rule("publish.value", ("publish",), _publish),
    Rule("publish.operators", ("operatorPublishingStrategy",), _operators),
    Rule("credentials.mode", ("credentialsMode",), _credentials),
    Rule("bootstrap.in-place", ("bootstrapInPlace",), _in_place),
    Rule("cpu.partitioning", ("cpuPartitioningMode",), _partitioning),
)
