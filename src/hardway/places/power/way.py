"""What every way of switching a machine can do."""

from __future__ import annotations

from typing import Literal, Protocol

State = Literal["on", "off", ""]
"""As the switch itself says; empty: nobody here can see it."""


class Power(Protocol):
    """Nodes go by their planned names. Everything may be asked twice: what is so already is left alone."""

    def on(self, node: str) -> None: ...

    def off(self, node: str, *, cut: bool = False) -> None:
        """Programs on the machine end first; with `cut` they do not."""

    def state(self, node: str) -> State: ...
