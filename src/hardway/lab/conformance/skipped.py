"""THE TABLE of conformance tests that this lab does not run, each with its reason.

What fails because of a value of ours does not belong here: it is corrected where the value is.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    pattern: str  # a regular expression for Go and Python alike
    reason: str


_NAMES = (
    "The test looks a Service up by its name. On a real cluster the dns operator runs CoreDNS for that; it is not "
    "published as a Go module, and nobody in a lab answers at the address that pods ask."
)
_REACHED = "serve a basic|serve multiport|serve endpoints on|be able to|have session affinity"

TABLE: tuple[Skipped, ...] = (
    Skipped(pattern=r"^\[sig-network\] DNS should (?:provide|resolve)", reason=_NAMES),
    Skipped(
        pattern=r"^\[sig-network\] DNS should support configurable pod DNS nameservers",
        reason="The test starts CoreDNS from the image agnhost, and the lab's image of this name has agnhost alone.",
    ),
    Skipped(pattern=rf"^\[sig-network\] Services should (?:{_REACHED})", reason=_NAMES),
    Skipped(pattern=r"Guestbook application", reason=_NAMES),
    Skipped(pattern=r"ServiceAccountIssuerDiscovery should support OIDC", reason=_NAMES),
)
