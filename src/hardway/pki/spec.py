"""What a certificate says, as plain values: X.509 is imported only to issue it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal

Usage = Literal["server", "client"]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Spec:
    """All that is in it, except keys, signer and time. A row of the table gives the upper half; the lower half
    depends on the cluster. To add a field is to add it here, and to write it in `issue`."""

    common_name: str
    organizations: tuple[str, ...] = ()
    unit: str = ""
    usages: tuple[Usage, ...] = ()
    key_usage: bool = True
    chain: bool = False  # the file carries the signer's certificate behind the leaf

    ca: bool = False
    hours: int = 0
    dns_names: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """As a build's record keeps it. What has its default is not written: a new field changes no old certificate."""
        said = {f.name: getattr(self, f.name) for f in fields(self)}
        differing = (f"{f.name}={said[f.name]!r}" for f in fields(self) if said[f.name] != f.default)
        return f"Spec({', '.join(differing)})"
