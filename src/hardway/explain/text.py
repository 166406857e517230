"""An explanation as text."""

from __future__ import annotations

from textwrap import wrap

from hardway.explain.registry import Explanation

LABELS = {"failure": ("who suffers", "you see"), "check": ("run by", "prevents")}
"""What readers and consequences are called, where the usual words do not fit."""


def as_text(explanation: Explanation) -> str:
    why = explanation.why
    readers, breaks = LABELS.get(explanation.address.split("/", 1)[0], ("read by", "without it"))
    rows = [
        ("", why.what),
        (readers, why.readers),
        (breaks, why.breaks),
        ("source", why.source),
        ("family", explanation.family),
        ("file", f"assets/{explanation.path}" if explanation.path else ""),
        ("made of", ", ".join(explanation.needs)),
        ("goes into", ", ".join(explanation.used_by)),
    ]
    lines = [explanation.address]
    for label, text in rows:
        if text:
            lead = f"  {label:12}" if label else "  "
            lines += wrap(text, 110, initial_indent=lead, subsequent_indent=" " * (len(lead) if label else 2))
    return "\n".join(lines)


def as_dict(explanation: Explanation) -> dict[str, object]:
    why = explanation.why
    return {
        "address": explanation.address,
        "what": why.what,
        "readers": why.readers,
        "breaks": why.breaks,
        "source": why.source,
        "path": explanation.path,
        "family": explanation.family,
        "needs": list(explanation.needs),
        "usedBy": list(explanation.used_by),
    }
