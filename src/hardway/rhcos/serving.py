"""The one-time server beside an installation."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from hardway.deliver.identity import context
from hardway.deliver.ledger import alone
from hardway.deliver.policy import DeliveryPolicy
from hardway.deliver.run import Delivery
from hardway.deliver.server import Event, Server, listen
from hardway.model.entropy import Entropy
from hardway.workspace.folder import Workspace

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
        policy = DeliveryPolicy(delivery.parcels, delivery.ledger, entropy)
        server = Server(policy, context(delivery.identity), entropy, tell)
        listener = listen(delivery.place.address, delivery.place.port)
        thread = threading.Thread(target=server.serve, args=(listener, seconds), daemon=True)
        thread.start()
        try:
            yield
        finally:
            policy.finished.set()
            thread.join(LONGEST)
