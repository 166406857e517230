"""What an object may be called: the API server's rule for its kind."""

from __future__ import annotations

import re
from dataclasses import dataclass

from hardway.model.own.document import Own


@dataclass(frozen=True, slots=True, kw_only=True)
class NameRule:
    pattern: str
    longest: int
    words: str


_LABEL = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?"
LABEL = NameRule(
    pattern=_LABEL,
    longest=63,
    words="a DNS label: lower-case letters, digits and dashes, at most 63 characters, a letter or digit at both ends",
)
SERVICE = NameRule(
    pattern=r"[a-z]([-a-z0-9]*[a-z0-9])?",
    longest=63,
    words="a DNS label that begins with a letter: lower-case letters, digits and dashes, at most 63 characters",
)
SUBDOMAIN = NameRule(
    pattern=rf"{_LABEL}(\.{_LABEL})*",
    longest=253,
    words="a DNS subdomain: lower-case letters, digits, dashes and dots, a letter or digit at both ends of each part",
)
SEGMENT = NameRule(pattern=r"(?!\.{1,2}$)[^/%]+", longest=253, words="a part of a path: without slash and percent sign")

_BY_KIND = {("", "Namespace"): LABEL, ("project.openshift.io", "Project"): LABEL, ("", "Service"): SERVICE}
_SEGMENTS = {
    "rbac.authorization.k8s.io",
    "authorization.openshift.io",
    "image.openshift.io",
    "oauth.openshift.io",
    "user.openshift.io",
}
"""API groups whose names may hold colons and capitals, as system:admin."""


def wrong_name(own: Own) -> str:
    """What the name must be; empty if it is that."""
    rule = _BY_KIND.get(own.type) or (SEGMENT if own.group in _SEGMENTS else SUBDOMAIN)
    return _told(rule, own.name)


def wrong_namespace(own: Own) -> str:
    return _told(LABEL, own.identity[2]) if own.identity[2] else ""


def _told(rule: NameRule, name: str) -> str:
    return "" if len(name) <= rule.longest and re.fullmatch(rule.pattern, name) else rule.words
