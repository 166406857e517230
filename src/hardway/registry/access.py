"""How to get at images: who asks, through what, whom to believe."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from hardway.model.cluster import ImageSource, Proxy

Progress = Callable[[str, int, int], None]  # what, bytes done, bytes in all (0, 0: something to say)


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    pull_secret: str = field(default="", repr=False)  # JSON text, as in install-config
    mirrors: tuple[ImageSource, ...] = ()  # tried before the source, for digests alone
    trust_bundle: str = field(default="", repr=False)  # PEM, believed besides the system's
    proxy: Proxy | None = field(default=None, repr=False)  # None: as the environment says
    plain_http: frozenset[str] = frozenset()  # registries (HOST:PORT) to be spoken to without TLS
    architecture: str = "amd64"

    def scheme(self, registry: str) -> str:
        return "http" if registry in self.plain_http else "https"


def silent(what: str, done: int, total: int) -> None:
    """The progress of one who does not want to know."""
