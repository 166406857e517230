"""Names of hosts as DNS and Kubernetes allow them, and of image repositories as containers/image reads them."""

from __future__ import annotations

import re

from hardway.model.config.addresses import parse_address

_SUBDOMAIN = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"
_PART = r"[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*"
_DOMAIN_PART = r"(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])"
_DOMAIN = rf"{_DOMAIN_PART}(?:\.{_DOMAIN_PART})*(?::[0-9]+)?"
_REPOSITORY = rf"(?P<domain>{_DOMAIN}|{_PART})/(?P<path>{_PART}(?:/{_PART})*)"
_REGISTRY = rf"(?:{_DOMAIN_PART}(?:\.{_DOMAIN_PART})*|\[[0-9A-Fa-f:.]+\])(?::[0-9]{{1,5}})?"
_IMAGE_ID = r"[a-f0-9]{64}"
_HOST_AND_PORT = r"(?a)([^:]*)(?::\w[\w.-]{0,127})?"


def is_subdomain(text: str) -> bool:
    """RFC 1123 as Kubernetes has it; a single part may be longer than DNS allows."""
    return len(text) <= 253 and re.fullmatch(_SUBDOMAIN, text) is not None


def is_repository(text: str) -> bool:
    """A repository with its registry in front, without tag and digest; or a whole registry."""
    if len(text) > 255 or re.fullmatch(_IMAGE_ID, text):
        return False
    match = re.fullmatch(_REPOSITORY, text)
    if match:
        return _names_a_registry(match["domain"]) and _is_canonical(match["domain"], match["path"])
    host = re.fullmatch(_HOST_AND_PORT, text)
    return bool(host) and _is_host(host[1] if host else "")


def is_registry(text: str) -> bool:
    """HOST or HOST:PORT, as in the name of an image."""
    return len(text) <= 255 and re.fullmatch(_REGISTRY, text) is not None


def has_tag_or_digest(text: str) -> bool:
    return "@" in text or ":" in text.rpartition("/")[2]


def _names_a_registry(domain: str) -> bool:
    return domain == "localhost" or "." in domain or ":" in domain


def _is_canonical(domain: str, path: str) -> bool:
    """Docker Hub's own short forms are not."""
    return domain != "index.docker.io" and (domain != "docker.io" or "/" in path)


def _is_host(host: str) -> bool:
    return parse_address(host) is not None or is_subdomain(host)
