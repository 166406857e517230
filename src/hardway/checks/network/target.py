"""What checks of DNS and the load balancer look at, before (and after) machines boot."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Literal

from hardway.model.cluster import Cluster
from hardway.model.entropy import Entropy
from hardway.network import ports
from hardway.network.dns.answer import Answer
from hardway.network.dns.client import NoAnswer, Server, ask
from hardway.network.dns.files import Written
from hardway.network.dns.records import ADDRESS_KINDS, Kind

Expect = Literal["balancer", "api", "cluster"]
Source = Server | Written
"""Who is asked: a server, or what one would say by its files."""


class Target:
    """What is looked at: the plan, the name servers that are asked, and how far the installation is."""

    def __init__(self, *, cluster: Cluster, servers: Iterable[Source], entropy: Entropy, expect: Expect) -> None:
        self.cluster = cluster
        self.servers = tuple(servers)
        self.entropy = entropy
        self.expect = expect
        self._answers: dict[tuple[Source, str, Kind], Answer] = {}

    @cached_property
    def unusual(self) -> str:
        """A label that nobody has given to anything."""
        return f"hardway-{self.entropy.random('dns/label', 6).hex()}"

    @cached_property
    def silent(self) -> dict[Source, str]:
        """The servers that cannot be asked, and why."""
        found: dict[Source, str] = {}
        for server in [s for s in self.servers if isinstance(s, Server)]:
            try:
                ask(server, self.cluster.api_int_host, "A", self.entropy)
            except NoAnswer as error:
                found[server] = str(error)
        return found

    @property
    def answering(self) -> list[Source]:
        return [s for s in self.servers if s not in self.silent]

    @cached_property
    def seen(self) -> list[ports.Seen]:
        return ports.look(self.cluster)

    def ask(self, server: Source, name: str, kind: Kind) -> Answer:
        """A server that answered once and then no more has no answer: SERVFAIL, as a resolver would say."""
        if isinstance(server, Written):
            return server.answer(name, kind)
        key = (server, name, kind)
        if key not in self._answers:
            try:
                self._answers[key] = ask(server, name, kind, self.entropy)
            except NoAnswer:
                self._answers[key] = Answer(code="SERVFAIL")
        return self._answers[key]

    def addresses(self, server: Source, name: str) -> tuple[set[str], str]:
        """Every address of a name, and the code of the first answer."""
        first, second = (self.ask(server, name, kind) for kind in ADDRESS_KINDS)
        code = first.code if first.code != "NOERROR" or first.values else second.code
        return {*first.values, *second.values}, code
