"""Programs: how each is started, and what it is told by a flag, by a variable, or by a configuration file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hardway.compare.contents import commands
from hardway.compare.row import Difference
from hardway.compare.values import pairs

FILE = "--openshift-config"
NAMED = "--tls-sni-cert-key"
SHELLS = ("/bin/sh", "/bin/bash", "sh", "bash")
WHOLE = ("--tls-sni-cert-key", "--strict-transport-security-directives")  # a comma in these separates nothing
VARIABLES = {"etcd": "ETCD_"}  # programs that take a flag from a variable of the same name
Settings = dict[str, list[str]]
EACH = ("--feature-gates", "--runtime-config", "--enable-admission-plugins", NAMED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    program: str
    flags: Settings
    shell: bool
    script: tuple[str, ...]  # what the shell does besides
    variables: frozenset[str]  # flags that came by a variable


def command(container: Mapping[str, Any]) -> Command:
    words = [*map(str, container.get("command") or ()), *map(str, container.get("args") or ())]
    shell = bool(words) and words[0] in SHELLS
    before: tuple[str, ...] = ()
    if shell:
        *first, words = commands(_joined(words[-1])) or [[]]
        before = tuple(" ".join(line) for line in first)
        words = words[1:] if words[:1] == ["exec"] else words
    program = [word for word in words if not word.startswith("-")]
    flags = _flags(word for word in words if word.startswith("-"))
    given = _variables(str(container.get("name")), container) if program else {}
    return Command(
        program=" ".join(program),
        flags={**{flag: split(flag, [value]) for flag, value in given.items()}, **flags},
        shell=shell,
        script=before,
        variables=frozenset(given),
    )


def _joined(script: str) -> str:
    """One command a line: folded text has its flags on lines of their own."""
    return script.replace("\\\n", " ").replace("\n--", " --").replace("\n  --", " --")


def _flags(words: Iterable[str]) -> Settings:
    found: Settings = {}
    for word in words:
        name, _, value = word.partition("=")
        found.setdefault(name, []).extend(split(name, [value]))
    return found


def split(flag: str, given: list[str]) -> list[str]:
    """A list is written with commas or by giving the flag again: both mean the same."""
    return given if flag in WHOLE else [part for value in given for part in value.split(",")]


def _variables(name: str, container: Mapping[str, Any]) -> dict[str, str]:
    prefix = VARIABLES.get(name)
    if not prefix:
        return {}
    named = {e["name"]: str(e.get("value")) for e in container.get("env") or () if e["name"].startswith(prefix)}
    return {"--" + n.removeprefix(prefix).lower().replace("_", "-"): value for n, value in named.items()}


def differences(
    theirs: Mapping[str, Command],
    ours: Mapping[str, Command],
    config: Mapping[str, Any] | None,
    own: Mapping[str, Any] | None,
) -> Iterator[Difference]:
    """`config` and `own` are the API server's configuration files: theirs and ours."""
    for name in sorted({*theirs} & {*ours}):
        file, second_file = _file(theirs[name], config), _file(ours[name], own)
        first, second = told({**file, **theirs[name].flags}), told({**second_file, **ours[name].flags})
        yield from (Difference(name, *pair, "flags") for pair in pairs(first, second))
        for flag in sorted({*first} & {*second}):
            ways = [_way(flag, side, known) for side, known in ((theirs[name], file), (ours[name], second_file))]
            if ways[0] != ways[1]:
                by = [f"{way}: {_text(side[flag])}" for way, side in zip(ways, (first, second), strict=True)]
                yield Difference(name, f"{flag} given by", by[0], by[1], "flags")


def _file(side: Command, config: Mapping[str, Any] | None) -> Settings:
    return from_file(config or {}) if FILE in side.flags else {}


def _way(flag: str, side: Command, file: Settings) -> str:
    if flag in side.variables:
        return "a variable"
    return "the configuration file" if flag in file and flag not in side.flags else "a flag"


def _text(value: Any) -> str:
    several = [*value] if isinstance(value, dict | list) else [value]
    return ", ".join(map(str, several))


def told(flags: Settings) -> dict[str, Any]:
    """Each setting as what it means: one value, several in their order, or single ones by name."""
    return {flag: _meaning(flag, given) for flag, given in flags.items()}


def _meaning(flag: str, given: list[str]) -> Any:
    if flag == NAMED:
        return dict(_face(value) for value in given)
    if flag in EACH:
        return {name: value or "on" for name, _, value in (one.partition("=") for one in given)}
    return given[0] if len(given) == 1 else given


def _face(value: str) -> tuple[str, list[str]]:
    """A certificate, and the names that it is shown for; none stands for those that are in it."""
    certificate, _, rest = value.partition(",")
    _, _, names = rest.partition(":")
    return certificate.rpartition("/")[2], sorted(names.split(",")) if names else ["<those in the certificate>"]


def from_file(config: Mapping[str, Any]) -> Settings:
    """The flags that OpenShift's API server makes of its configuration file before it starts."""
    arguments = {
        f"--{name}": [str(v) for v in given] for name, given in (config.get("apiServerArguments") or {}).items()
    }
    serving = config.get("servingInfo") or {}
    host, _, port = str(serving.get("bindAddress", "")).rpartition(":")
    named = [_certificate(one) for one in serving.get("namedCertificates") or ()]
    made = {
        "--bind-address": [host.strip("[]")],
        "--secure-port": [port],
        "--service-cluster-ip-range": [str(config.get("servicesSubnet") or "")],
        "--tls-cipher-suites": [str(suite) for suite in serving.get("cipherSuites") or ()],
        "--tls-min-version": [str(serving.get("minTLSVersion") or "")],
        NAMED: named,
        "--cors-allowed-origins": [str(origin) for origin in config.get("corsAllowedOrigins") or ()],
    }
    together = {flag: given for flag, given in made.items() if any(given)} | arguments
    return {flag: split(flag, given) for flag, given in together.items()}


def _certificate(one: Mapping[str, Any]) -> str:
    names = ",".join(one.get("names") or ())
    return f"{one.get('certFile')},{one.get('keyFile')}" + (f":{names}" if names else "")
