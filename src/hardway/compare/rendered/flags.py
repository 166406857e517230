"""Programs by what they are told, however they are told it: by a flag, by a variable, or by a configuration file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from hardway.compare.rendered.command import Command, Settings, split
from hardway.compare.rendered.row import Found
from hardway.compare.values import pairs

FILE = "--openshift-config"
NAMED = "--tls-sni-cert-key"
EACH = ("--feature-gates", "--runtime-config", "--enable-admission-plugins", NAMED)


def differences(
    operator: str, theirs: Mapping[str, Command], ours: Mapping[str, Command], config: Mapping[str, Any] | None
) -> Iterator[Found]:
    for name in sorted({*theirs} & {*ours}):
        file = from_file(config or {}) if FILE in theirs[name].flags else {}
        first, second = told({**file, **theirs[name].flags}), told(ours[name].flags)
        yield from (_found(operator, name, *pair) for pair in pairs(first, second))
        for flag in sorted({*first} & {*second}):
            ways = [_way(flag, side, known) for side, known in ((theirs[name], file), (ours[name], {}))]
            if ways[0] != ways[1]:
                told_by = [f"{way}: {_text(side[flag])}" for way, side in zip(ways, (first, second), strict=True)]
                yield _found(operator, name, f"{flag} given by", *told_by)


def _found(operator: str, thing: str, aspect: str, theirs: Any, ours: Any) -> Found:
    return Found(area="flags", operator=operator, thing=thing, aspect=aspect, theirs=theirs, ours=ours)


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
