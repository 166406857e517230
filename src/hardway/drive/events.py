"""What happens, as rows: a live view draws them, a log prints them, a program reads them as JSON."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Literal

Kind = Literal["reached", "waiting", "acted", "asked", "trouble", "refused", "stalled", "finished"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    kind: Kind
    seconds: float  # since the run began
    text: str
    stage: str = ""
    milestone: str = ""
    node: str = ""
    failures: tuple[str, ...] = ()
    asks: str = ""  # of a person, for programs: on, off, out

    def line(self) -> str:
        """Without a terminal."""
        where = " ".join(part for part in (self.stage, self.milestone or self.node) if part)
        return f"{self.seconds:6.0f}s  {self.kind:<8}  {f'{where}: ' if where else ''}{self.text}"

    def as_dict(self) -> dict[str, Any]:
        return {k: v for k, v in asdict(self).items() if v not in ("", ())}


Listener = Callable[[Event], None]
