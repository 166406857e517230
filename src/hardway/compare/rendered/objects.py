"""Objects for the cluster, field by field; and the ones that only one side has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from typing import Any

from hardway.compare.contents import embedded
from hardway.compare.rendered import certificates
from hardway.compare.rendered.host import Host
from hardway.compare.rendered.operators import SECRET, owner
from hardway.compare.row import ABSENT, PRESENT, Difference
from hardway.compare.values import pairs

BY_HAND = "none"  # in place of an operator's name, where no operator renders such a thing
Body = Mapping[str, Any]


def differences(given: Mapping[str, Body], ours: Mapping[str, Body], host: Host) -> Iterator[Difference]:
    for named, first in sorted(given.items()):
        thing = host.renamed(named)
        if thing not in ours:
            yield Difference(thing, "object", PRESENT, ABSENT, "manifests")
            continue
        second = ours[thing]
        pems = [dict(embedded(body.get("data") or {})) for body in (first, second)]
        for aspect, *values in pairs(host.renamed(_rest(first, pems[0])), _rest(second, pems[1])):
            secret = thing.startswith(SECRET) and aspect.startswith("data")
            yield Difference(thing, aspect, values[0], values[1], "manifests", secret=secret)
        for pair in pairs(host.renamed(certificates.described(pems[0])), certificates.described(pems[1])):
            yield Difference(thing, *pair, "certificates")


def alone(ours: Mapping[str, Body], theirs: Set[str], rendered: Set[str]) -> Iterator[Difference]:
    """What we write and no operator did, as far as the operator that could have was there."""
    for thing in sorted(ours.keys() - theirs):
        operator = owner(thing)
        if operator is None or operator.name in rendered:
            yield Difference(thing, "object", ABSENT, PRESENT, "manifests", operator.name if operator else BY_HAND)


def _rest(body: Body, pems: Mapping[str, bytes]) -> dict[str, Any]:
    """Everything but certificates and keys, whose presence alone counts here; a null says nothing."""
    about = {k: v for k, v in (body.get("metadata") or {}).items() if v is not None}
    marks = certificates.marks(body, pems)
    data = {key: PRESENT if key in pems else value for key, value in (body.get("data") or {}).items()}
    found = {k: v for k, v in body.items() if v is not None and k not in ("metadata", "data")}
    found |= {"metadata": about | ({"annotations": marks} if marks else {})}
    return found | ({"data": data} if data else {})
