"""How a deviation of the lab is printed."""

from __future__ import annotations


def deviation_text(kind: str, subject: str, *, why: str, what: str = "") -> str:
    """What and why in columns: the sentences have colons of their own."""
    told = {"what": what, "why": why}
    return "\n".join([f"{kind} {subject}", *(f"    {label:4}  {text}" for label, text in told.items() if text)])
