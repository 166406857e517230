"""The proxy. Its URLs may hold a password, so they are never put into a message."""

from __future__ import annotations

from collections.abc import Iterator

from hardway.model.config.addresses import contains, parse_address, parse_cidr
from hardway.model.config.draft import Draft
from hardway.model.config.names import is_subdomain
from hardway.model.config.rules.networks import LISTS
from hardway.model.config.rules.ovn import JOIN
from hardway.model.config.rules.rule import Flaw, Rule, error, warn
from hardway.model.config.url import parse_url

_SCHEMES = {"httpProxy": ("http",), "httpsProxy": ("http", "https")}


def _required(draft: Draft) -> Iterator[Flaw]:
    if "proxy" not in draft.values:
        return
    if not any(draft.text(f"proxy.{name}") for name in _SCHEMES):
        yield error("proxy", "names neither httpProxy nor httpsProxy", "give one of them, or remove proxy")
    elif not draft.text("proxy.httpsProxy"):
        message = "has no httpsProxy, and images are pulled over https: the pulls go out directly"
        yield warn("proxy", message, "give httpsProxy too, mostly with the same URL")


def _url(draft: Draft) -> Iterator[Flaw]:
    for name, schemes in _SCHEMES.items():
        path, text = f"proxy.{name}", draft.text(f"proxy.{name}")
        url = parse_url(text) if text else None
        example = f"write {schemes[0]}://proxy.example.com:3128"
        if text and url is None:
            yield error(path, "is no URL", example)
        elif url and url.scheme not in schemes:
            yield error(path, f"must start with {' or '.join(f'{s}://' for s in schemes)}", example)
        elif url and not url.host:
            yield warn(path, "names no host", example)


def _inside(draft: Draft) -> Iterator[Flaw]:
    for name in _SCHEMES:
        url = parse_url(draft.text(f"proxy.{name}"))
        address = url.address if url else None
        if address is None:
            continue
        join = [(JOIN, draft.join_subnet)] if draft.join_subnet else []
        for path, network in (*draft.networks, *join):
            if "machineNetwork" not in path and network and contains(network, address):
                message = f"is in {network.network} of {path.removesuffix('.cidr')}, where no proxy can be"
                yield error(f"proxy.{name}", message, "give the address of a machine outside the cluster's networks")


def _no_proxy(draft: Draft) -> Iterator[Flaw]:
    path, text = "proxy.noProxy", draft.text("proxy.noProxy")
    if text in ("", "*"):
        return
    if " " in text:
        yield error(path, "must have no spaces", "put only commas between the elements")
    for number, element in enumerate(text.split(","), 1):
        if not _is_element(element.strip()):
            message = f"element {number} is not an address, network or domain; a leading dot is allowed, a * is not"
            yield error(path, message, "write .example.com for a domain and all names below it")


def _is_element(text: str) -> bool:
    name = text.removeprefix(".").removesuffix(".")
    return is_subdomain(name) or parse_cidr(text) is not None or parse_address(text) is not None


def _no_proxy_empty(draft: Draft) -> Iterator[Flaw]:
    if draft.values.get("proxy") and not draft.text("proxy.noProxy"):
        message = (
            f"is empty: the cluster adds its own networks, but *.apps.{draft.domain} and mirrors go through the proxy"
        )
        yield warn("proxy.noProxy", message, f"write noProxy: .{draft.domain}")


RULES = (
    Rule("proxy.required", ("proxy",), _required),
    Rule("proxy.url", ("proxy",), _url),
    Rule("proxy.inside", ("proxy", *LISTS, "networking.ovnKubernetesConfig"), _inside),
    Rule("proxy.no-proxy", ("proxy.noProxy",), _no_proxy),
    Rule("proxy.no-proxy-empty", ("proxy", "metadata.name", "baseDomain"), _no_proxy_empty),
)
