"""The user's own documents, as they are written."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from hardway.graph.asset import Asset, Given, digest
from hardway.model.cluster import Cluster
from hardway.model.own.document import MACHINE_CONFIG, Own
from hardway.model.why import Why, because

STAGE = "07"
SECRET = 0o600


def assets(cluster: Cluster) -> Iterator[Asset]:
    for own in cluster.own:
        yield Asset(
            address=own.address,
            stage=STAGE,
            path=own.path,
            mode=SECRET,
            kind="derived",
            make=partial(_content, own.content),
            params=digest(own.content),
            why=_why(own),
        )


def _content(content: bytes, given: Given) -> bytes:
    return content


def _why(own: Own) -> Why:
    which = f", document {own.number} of {own.of}" if own.of > 1 else ""
    instead = "; it stands in for hardway's own" if own.replaces else ""
    rendered = own.type == MACHINE_CONFIG
    controller = "machine-config-controller, in MCO's render (stage 04) and in the cluster"
    return because(
        f"Yours: {own.title}, from {own.file}{which}{instead}.",
        readers=controller if rendered else "the cluster",
        breaks="what you ask for with it does not reach the machines" if rendered else "the object is not created",
        source=f"{own.file}:{own.first}",
    )
