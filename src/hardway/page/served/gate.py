"""Who may ask. The server listens on loopback alone, but every program and every page of this machine can reach it.

A one-time token is in the address that the command prints. It is exchanged for a cookie that scripts cannot read and
that no other site's page can send. What names another host (a name that was made to lead here) or comes from another
site's page is refused before anything else is looked at.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass, field
from email.message import Message
from http.cookies import CookieError, SimpleCookie
from threading import Lock

from hardway.model.entropy import SystemEntropy

HEADER = "X-Hardway"  # which no form of another site can send
NAMES = ("127.0.0.1", "localhost")
LONGEST = 4096  # characters of a Cookie header, which take longer to read the more of them are escaped


@dataclass(frozen=True, slots=True)
class Refused(Exception):
    code: int
    why: str


def _random() -> str:
    return SystemEntropy().random("guide", 32).hex()


@dataclass(kw_only=True)
class Gate:
    port: int
    token: str = field(default_factory=_random, repr=False)
    _cookies: set[str] = field(default_factory=set, repr=False)
    _lock: Lock = field(default_factory=Lock, repr=False)

    @property
    def cookie(self) -> str:
        """Its name: ports of one machine share their cookies."""
        return f"hardway-{self.port}"

    @property
    def hosts(self) -> frozenset[str]:
        return frozenset(f"{name}:{self.port}" for name in NAMES)

    def demand_here(self, headers: Message) -> None:
        """The request is meant for this server, and comes from a page of it or from nobody's."""
        host = headers.get("Host", "")
        if host not in self.hosts:
            raise Refused(421, "This server answers to 127.0.0.1 and localhost alone.")
        if headers.get("Origin", f"http://{host}") != f"http://{host}":
            raise Refused(403, "Pages of another site may not ask this server.")
        elsewhere = headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin")
        if elsewhere and headers.get("Sec-Fetch-Mode") != "navigate":  # a link to here is no harm: it has no cookie
            raise Refused(403, "Pages of another site may not ask this server.")

    def demand_known(self, headers: Message) -> None:
        if not self._knows(headers.get("Cookie", "")):
            raise Refused(403, "This page is for the user who started it: open the address that the command printed.")

    def demand_meant(self, headers: Message) -> None:
        """A request that does something says so, and says where it comes from."""
        if headers.get(HEADER) != "run" or "Origin" not in headers:
            raise Refused(403, "A command is run by the button of a page, and by nothing else.")

    def exchange(self, token: str) -> str:
        """A cookie for the token, which is spent then."""
        with self._lock:
            if not self.token or not hmac.compare_digest(token.encode(), self.token.encode()):
                raise Refused(403, "The token is wrong or was used already: start `hardway guide --web` again.")
            self.token = ""
            made = _random()
            self._cookies.add(made)
            return made

    def _knows(self, header: str) -> bool:
        if len(header) > LONGEST:
            return False
        try:
            found = SimpleCookie(header).get(self.cookie)
        except CookieError:
            return False
        given = found.value.encode() if found else b""
        return any(hmac.compare_digest(given, one.encode()) for one in self._cookies)
