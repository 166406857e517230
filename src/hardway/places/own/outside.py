"""What can be seen of a machine from outside: whether a port of it answers."""

from __future__ import annotations

import socket
from collections.abc import Sequence

from hardway.tools.patience import stretched

SECONDS = 2.0


def answers(address: str, ports: Sequence[int]) -> bool:
    """Whether one of the ports accepts a connection. A machine that refuses one may still serve another; one that says
    nothing is off, or there is no way to it."""
    for port in ports:
        try:
            with socket.create_connection((address, port), stretched(SECONDS)):
                return True
        except ConnectionRefusedError:
            continue
        except OSError:
            return False
    return False
