"""Answering a registry's 401: with the pull secret's entry, or with a token that its token server gives for it."""

from __future__ import annotations

import json
from urllib.parse import parse_qsl, urlencode

from hardway.registry.access import Access
from hardway.registry.answers import unauthorized
from hardway.registry.challenge import Challenge
from hardway.registry.credentials import Login, login_for
from hardway.registry.errors import Busy, TokenRefused
from hardway.registry.wire.client import Wire, place, split
from hardway.release.reference import Reference

LARGEST_TOKEN = 1 << 20


def authorization(challenge: Challenge | None, where: Reference, access: Access, wire: Wire) -> str:
    """The header's value that should satisfy the registry."""
    login = login_for(access.pull_secret, where.name)
    if challenge is not None and challenge.scheme == "bearer":
        url = _token_url(challenge, where, access)
        return f"Bearer {_token(url, where, login, wire)}"
    if challenge is None or login is None:
        raise unauthorized(where, login)
    return login.header


def _token_url(challenge: Challenge, where: Reference, access: Access) -> str:
    realm = split(challenge.parameters.get("realm", ""))
    plain = {where.registry, realm.netloc if realm else ""} & access.plain_http
    allowed = ("https", "http") if plain else ("https",)
    if realm is None or realm.scheme not in allowed:
        raise TokenRefused(
            f"{where.registry}: names a token server without TLS, which is not used",
            fix="have the registry name an https realm",
        )
    query = dict(parse_qsl(realm.query))
    if service := challenge.parameters.get("service"):
        query["service"] = service
    query["scope"] = f"repository:{where.repository}:pull"
    return realm._replace(query=urlencode(query)).geturl()


def _token(url: str, where: Reference, login: Login | None, wire: Wire) -> str:
    server = f"{where.registry}'s token server {place(url)}"
    with wire.get(url, {"Accept": "application/json"}, login.header if login else "") as response:
        status = response.status_code
        if status in (401, 403):
            raise unauthorized(where, login)
        if status == 429 or status >= 500:
            raise Busy(f"{server}: answers {status}", fix="try again later")
        if status != 200:
            raise TokenRefused(f"{server}: answers {status}", fix="check the registry's authentication settings")
        body = wire.body(response, LARGEST_TOKEN, server)
    try:
        answer = json.loads(body)
        token = answer.get("token") or answer.get("access_token")
    except (ValueError, AttributeError, RecursionError):
        token = None
    if not isinstance(token, str) or not (token.isascii() and token.isprintable()):
        raise TokenRefused(f"{server}: answers without a token", fix="check the registry's authentication settings")
    return token
