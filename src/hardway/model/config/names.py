"""Names as DNS and Kubernetes allow them."""

from __future__ import annotations

import re

_SUBDOMAIN = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"


def is_subdomain(text: str) -> bool:
    """RFC 1123 as Kubernetes has it; a single part may be longer than DNS allows."""
    return len(text) <= 253 and re.fullmatch(_SUBDOMAIN, text) is not None
