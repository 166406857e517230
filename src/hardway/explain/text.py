"""An explanation as text."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import TextWrapper
from typing import Any

from hardway.explain.entry import Explanation
from hardway.model.why import Why
from hardway.workspace.names import HOSTS, INSTALL_CONFIG, SETTINGS

WIDTH = 110
FAILURE = ("affected", "you see")
LABELS = {
    "failure": FAILURE,
    "check": ("needed by", "if it fails"),
    "rule": ("needed by", "if it is broken"),
    "stage": ("needed by", "without it"),
    "difference": ("read by", "effect"),
}
"""What readers and consequences are called, where the usual words do not fit."""
UNDECIDED = "nothing that your files say, and no default that they leave"
INPUT = ("read by", "if wrong")
"""The same for a field of a file that you write."""


Wrap = Callable[[str, str, str], list[str]]
"""A text as lines, what the first begins with, and what the others begin with."""


def _wrap(text: str, lead: str, indent: str) -> list[str]:
    return TextWrapper(WIDTH, lead, indent, break_on_hyphens=False, break_long_words=False).wrap(text)


def as_text(explanation: Explanation, wrap: Wrap = _wrap) -> str:
    why = explanation.why
    readers, breaks = labels(explanation.address)
    rows = [
        ("", why.what),
        (readers, why.readers),
        (breaks, why.breaks),
        *explanation.facts,
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
            indent = " " * (len(lead) if label else 2)
            lines += wrap(text, lead, indent)
    for number, text in enumerate(_deciding(explanation)):
        label = "" if number else "decided by"
        lines += wrap(text, f"  {label:12}", " " * 16)
    return "\n".join(lines)


def _deciding(explanation: Explanation) -> tuple[str, ...]:
    return (UNDECIDED,) if explanation.decided == () else explanation.decided or ()


def labels(address: str) -> tuple[str, str]:
    """What its readers and its consequences are called."""
    kind, _, name = address.partition("/")
    if kind == "field" and name.partition("#")[0] in (INSTALL_CONFIG, HOSTS, SETTINGS):
        return INPUT
    if address.startswith("check/log."):
        return FAILURE
    return LABELS.get(kind, ("read by", "without it"))


def as_dict(explanation: Explanation) -> dict[str, Any]:
    why = explanation.why
    return {
        "address": explanation.address,
        "what": why.what,
        "readers": why.readers,
        "breaks": why.breaks,
        "source": why.source,
        "facts": dict(explanation.facts),
        "path": explanation.path,
        "family": explanation.family,
        "needs": list(explanation.needs),
        "usedBy": list(explanation.used_by),
        "decidedBy": None if explanation.decided is None else list(explanation.decided),
    }


def from_dict(row: dict[str, Any]) -> Explanation:
    """What `as_dict` made."""
    why = Why(what=row["what"], readers=row["readers"], breaks=row["breaks"], source=row["source"])
    return Explanation(
        address=row["address"],
        why=why,
        facts=tuple(row["facts"].items()),
        path=row["path"],
        family=row["family"],
        needs=tuple(row["needs"]),
        used_by=tuple(row["usedBy"]),
        decided=None if row["decidedBy"] is None else tuple(row["decidedBy"]),
    )
