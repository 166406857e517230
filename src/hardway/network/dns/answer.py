"""What a name server says, or would say by its files, in the form that checks compare."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dns.rdata import Rdata


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    code: str
    values: tuple[str, ...] = ()  # sorted; of the type that was asked for


def value_of(data: Rdata) -> str:
    """A record's data in lower case, its name complete and without the last dot."""
    return data.to_text().lower().rstrip(".")
