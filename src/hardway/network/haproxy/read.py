"""haproxy.cfg as it was written by anybody: its proxies, with what `defaults` gives them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field

SECTIONS = ("frontend", "backend", "listen")
_UNITS = {"": 0.001, "us": 1e-6, "ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400}


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    number: int
    words: tuple[str, ...]

    def starts(self, *words: str) -> bool:
        return self.words[: len(words)] == words

    def after(self, word: str) -> str:
        """The word behind a word of the line."""
        rest = self.words[self.words.index(word) + 1 :] if word in self.words else ()
        return rest[0] if rest else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proxy:
    """A frontend, a backend, or both in one (`listen`)."""

    kind: str
    name: str
    number: int
    own: list[Line] = field(default_factory=list)
    defaults: list[Line] = field(default_factory=list)

    def lines(self, *words: str) -> list[Line]:
        """Its own lines that begin so; where there is none, those of the defaults."""
        mine = [line for line in self.own if line.starts(*words)]
        return mine or [line for line in self.defaults if line.starts(*words)]

    def last(self, *words: str) -> Line | None:
        return next(reversed(self.lines(*words)), None)

    @property
    def mode(self) -> str:
        line = self.last("mode")
        return line.words[1] if line and len(line.words) > 1 else "tcp"

    @property
    def servers(self) -> list[Line]:
        return [line for line in self.own if line.starts("server") and len(line.words) > 2]

    @property
    def server_defaults(self) -> tuple[str, ...]:
        """What every server has without saying so."""
        return tuple(w for line in self.lines("default-server") for w in line.words[1:])


def read(text: str) -> list[Proxy]:
    proxies: list[Proxy] = []
    defaults: list[Line] = []
    into: list[Line] = []
    for line in _lines(text):
        word, name = line.words[0], line.words[1] if len(line.words) > 1 else ""
        if word == "defaults":
            defaults = into = []
        elif word in SECTIONS:
            proxies.append(Proxy(kind=word, name=name, number=line.number, defaults=defaults))
            into = proxies[-1].own
        elif line.words[0] in OTHERS:
            into = []
        else:
            into.append(line)
    return proxies


OTHERS = ("global", "userlist", "peers", "resolvers", "mailers", "cache", "program", "ring", "http-errors", "fcgi-app")


def _lines(text: str) -> Iterator[Line]:
    for number, line in enumerate(text.splitlines(), 1):
        try:
            words = shlex.split(line, comments=True)
        except ValueError:
            words = line.split("#")[0].split()
        if words:
            yield Line(number=number, words=tuple(words))


def seconds(text: str) -> float | None:
    """HAProxy's durations: 4h, 30s, 500 (milliseconds)."""
    found = re.fullmatch(r"(\d+)(us|ms|s|m|h|d|)", text)
    return int(found[1]) * _UNITS[found[2]] if found else None


def bound(proxy: Proxy) -> Iterator[tuple[Line, str, int]]:
    """Every address and port of its `bind` lines; an empty address is all of them."""
    for line in proxy.own:
        if line.starts("bind"):
            for place in line.words[1].split(",") if len(line.words) > 1 else ():
                address, port = split_place(place)
                for number in _ports(port):
                    yield line, address, number


def split_place(text: str) -> tuple[str, str]:
    """ADDRESS:PORT, with `*`, brackets and families as HAProxy writes them."""
    address, _, port = text.rpartition(":")
    address = re.sub(r"^(ipv4|ipv6)@", "", address).strip("[]")
    return ("" if address in ("*", "0.0.0.0", "::") else address), port  # noqa: S104


def _ports(text: str) -> range:
    found = re.fullmatch(r"([0-9]{1,5})(?:-([0-9]{1,5}))?", text)
    return range(int(found[1]), int(found[2] or found[1]) + 1) if found else range(0)
