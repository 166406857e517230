"""The one-time server beside an installation."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from hardway.infra.deliver import alone
from hardway.infra.deliver_desk import Desk
from hardway.infra.deliver_identity import context
from hardway.infra.deliver_run import Delivery
from hardway.infra.deliver_server import Event, Server, listen
from hardway.model.entropy import Entropy
from hardway.stages.workspace import Workspace

LONGEST = 10.0
"""How long a transfer that is under way may take to end, in seconds."""


@contextmanager
def serving(
    workspace: Workspace, delivery: Delivery | None, entropy: Entropy, seconds: float, tell: Callable[[Event], None]
) -> Iterator[None]:
    """While the machines are installed; nothing listens if none of them has to fetch."""
    if delivery is None or not delivery.left:
        yield
        return
    with alone(workspace.store):
        desk = Desk(delivery.parcels, delivery.ledger, entropy)
        server = Server(desk, context(delivery.identity), entropy, tell)
        listener = listen(delivery.place.address, delivery.place.port)
        thread = threading.Thread(target=server.serve, args=(listener, seconds), daemon=True)
        thread.start()
        try:
            yield
        finally:
            desk.finished.set()
            thread.join(LONGEST)
