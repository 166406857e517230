"""The cluster's name and domain."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hardway.model.config.draft import Draft
from hardway.model.config.names import is_subdomain
from hardway.model.config.rules.rule import Flaw, Rule, error, warn

_TIME = r"(?a)\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})"
_LONGEST_ROUTE = "prometheus-k8s-federate-openshift-monitoring.apps"
_ALPHABET = "lower-case letters, digits, '-' and '.', a letter or digit at each end of every part"


def _version(draft: Draft) -> Iterator[Flaw]:
    if (version := draft.text("apiVersion")) != "v1":
        message = f"is {version[:40]!r}, and the version that openshift-install supports is v1"
        yield error("apiVersion", message, "write apiVersion: v1")


def _times(draft: Draft) -> Iterator[Flaw]:
    for name in ("metadata.creationTimestamp", "metadata.deletionTimestamp"):
        if draft.text(name) and not re.fullmatch(_TIME, draft.text(name)):
            yield error(name, "is not a time in the form of RFC 3339", "remove it")


def _name(draft: Draft) -> Iterator[Flaw]:
    name = draft.text("metadata.name")
    if len(name) > 54:
        message = f"has {len(name)} characters; 54 is the most that leaves room for DNS records made from it"
        yield error("metadata.name", message, "choose a shorter name")
    elif not is_subdomain(name):
        yield error("metadata.name", f"must be made of {_ALPHABET}", "choose a name such as demo or lab-1")


def _base_domain(draft: Draft) -> Iterator[Flaw]:
    base = draft.text("baseDomain").removesuffix(".")
    if not is_subdomain(base):
        yield error("baseDomain", f"must be made of {_ALPHABET}", "write a DNS domain such as example.com")
    elif len(draft.domain) > 253:
        message = f"makes a cluster domain of {len(draft.domain)} characters; a DNS name has 253 at most"
        yield error("baseDomain", message, "choose a shorter domain")
    elif any(len(label) > 63 for label in base.split(".")):
        yield error(
            "baseDomain", "has a part of more than 63 characters, which DNS does not allow", "shorten that part"
        )


def _routes(draft: Draft) -> Iterator[Flaw]:
    if 253 - len(_LONGEST_ROUTE) <= len(draft.domain) <= 253:
        message = f"leaves no room for the names of routes: {_LONGEST_ROUTE}.… would be longer than DNS allows"
        yield warn("baseDomain", message, "choose a shorter domain")


def _top_level(draft: Draft) -> Iterator[Flaw]:
    last = draft.domain.rsplit(".", 1)[-1]
    if is_subdomain(draft.domain) and not re.fullmatch(r"[a-z]{2,63}", last):
        message = f"ends in {last!r}: the API accepts a host name only if its last part is two or more letters"
        yield warn(
            "baseDomain",
            f"{message}, so the ingress and authentication operators fail",
            "use a domain that ends in letters, such as lab.example.com",
        )


RULES = (
    Rule("version.unknown", ("apiVersion",), _version),
    Rule("metadata.time", ("metadata.creationTimestamp", "metadata.deletionTimestamp"), _times),
    Rule("name.invalid", ("metadata.name",), _name),
    Rule("domain.invalid", ("baseDomain", "metadata.name"), _base_domain),
    Rule("domain.routes", ("baseDomain", "metadata.name"), _routes),
    Rule("domain.top-level", ("baseDomain", "metadata.name"), _top_level),
)
