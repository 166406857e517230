"""What is about to be compiled is told before the first compiler runs."""

from __future__ import annotations

from collections.abc import Sequence

from hardway.cli.options import counted
from hardway.cli.terminal.text import note
from hardway.model.figures import COMPILE


def announce(components: Sequence[str]) -> None:
    if components:
        note(
            f"{counted(len(components), 'component')} will be compiled first: {', '.join(components)}.\n"
            f"All components take {COMPILE} on two cores. The results are kept."
        )
