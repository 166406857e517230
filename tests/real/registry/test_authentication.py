"""Who asks: passwords and tokens from the pull secret, against real registries; and no secret in any message."""

from __future__ import annotations

import base64

import pytest

from hardway.model.errors import ConfigError
from hardway.registry.access import Access
from hardway.registry.cache import Cache
from hardway.registry.challenge import parse
from hardway.registry.credentials import login_for
from hardway.registry.errors import Busy, Denied, Refused, TokenRefused, Unauthorized
from hardway.registry.image import open_image
from hardway.registry.tokens import authorization
from hardway.registry.wire.client import Wire
from hardway.release.reference import Reference
from tests.support.registry.front import front
from tests.support.registry.server import PASSWORD, USER, Reader, pull_secret, serving, with_passwords
from tests.support.registry.token import SERVICE, token_server

ENCODED = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()


@pytest.fixture(scope="module")
def locked(registry, made, tmp_path_factory):
    folder = tmp_path_factory.mktemp("locked")
    with serving(folder / "server", registry.storage, **with_passwords(folder / "auth")) as server:
        yield server


@pytest.fixture(scope="module")
def tokens(tmp_path_factory):
    with token_server(tmp_path_factory.mktemp("tokens") / "a") as server:
        yield server


@pytest.fixture(scope="module")
def tokened(registry, made, tokens, tmp_path_factory):
    with serving(tmp_path_factory.mktemp("tokened") / "server", registry.storage, **tokens.auth()) as server:
        yield server


def reader_of(server, tmp_path, secret=""):
    return Reader(tmp_path / "cache", plain_http=frozenset({server.host}), pull_secret=secret)


def refused(error, reader, reference):
    """The message of the error, which shows nothing of any secret."""
    with pytest.raises(error) as caught:
        reader.read(reference)
    message = str(caught.value)
    assert "\n    fix: " in message
    assert not any(secret in message for secret in (PASSWORD, ENCODED, "s3cret", "eyJ"))
    assert caught.value.exit_code == 3
    return message


def test_a_password_from_the_pull_secret(locked, made, tmp_path):
    reader = reader_of(locked, tmp_path, pull_secret(locked.host))
    assert reader.read(f"{locked.host}/team/release:a").digest == made.digest


def test_the_most_specific_entry_counts(locked, tmp_path):
    wrong = pull_secret(locked.host, password="wrong")
    right = pull_secret(f"{locked.host}/team/release")
    both = wrong[:-2] + ", " + right.removeprefix('{"auths": {')
    assert reader_of(locked, tmp_path, both).read(f"{locked.host}/team/release:a").files
    assert "'127.0.0.1" in refused(Unauthorized, reader_of(locked, tmp_path, both), f"{locked.host}/team/other:a")


def test_no_entry_is_said_with_the_host(locked, tmp_path):
    message = refused(
        Unauthorized, reader_of(locked, tmp_path, pull_secret("quay.io")), f"{locked.host}/team/release:a"
    )
    assert f"no entry for {locked.host}" in message


def test_a_wrong_password_names_the_entry_alone(locked, tmp_path):
    secret = pull_secret(locked.host, password="s3cret but wrong")
    message = refused(Unauthorized, reader_of(locked, tmp_path, secret), f"{locked.host}/team/release:a")
    assert f"the pull secret's entry '{locked.host}'" in message


def test_a_token_for_the_entry(tokened, tokens, made, tmp_path):
    reader = reader_of(tokened, tmp_path, pull_secret(tokened.host))
    before = len(tokens.asked)
    assert reader.read(f"{tokened.host}/team/release:a").digest == made.digest
    assert [q["scope"] for q in tokens.asked[before:]] == [["repository:team/release:pull"]], "one token for everything"


def test_a_token_server_that_does_not_know_us(tokened, tmp_path):
    assert "no entry for" in refused(Unauthorized, reader_of(tokened, tmp_path), f"{tokened.host}/team/release:a")
    secret = pull_secret(tokened.host, password="wrong")
    assert "does not accept" in refused(
        Unauthorized, reader_of(tokened, tmp_path, secret), f"{tokened.host}/team/release:a"
    )


def test_a_public_repository_gives_a_token_to_anybody(registry, made, tmp_path):
    with (
        token_server(tmp_path / "tokens", anonymous=True) as tokens,
        serving(tmp_path / "server", registry.storage, **tokens.auth()) as server,
    ):
        assert reader_of(server, tmp_path).read(f"{server.host}/team/release:a").digest == made.digest
        assert len(tokens.asked) == 1


def test_a_token_that_ran_out_is_replaced(tokened, tokens, made, tmp_path):
    """Between manifest and layer the registry no longer accepts the token."""
    with front(tokened.host) as gate:
        access = Access(plain_http=frozenset({gate.host}), pull_secret=pull_secret(gate.host))
        with open_image(f"{gate.host}/team/release:a", access, Cache(tmp_path / "cache")) as image:
            before = len(tokens.asked)
            gate.statuses, gate.headers = [401], {"WWW-Authenticate": f'Bearer realm="http://{tokens.host}/token"'}
            gate.headers["WWW-Authenticate"] += f',service="{SERVICE}"'
            assert len(image.extract("release-manifests", enough=["image-references"])) == 5
            assert len(tokens.asked) == before + 1


def test_a_token_that_is_refused_is_not_asked_for_again_and_again(tokened, tokens, tmp_path):
    tokens.lifetime, before = -3600, len(tokens.asked)
    try:
        reader = reader_of(tokened, tmp_path, pull_secret(tokened.host))
        refused(Unauthorized, reader, f"{tokened.host}/team/release:a")
    finally:
        tokens.lifetime = 300
    assert len(tokens.asked) == before + 1


def test_a_busy_token_server_is_asked_again(tokened, tokens, tmp_path):
    tokens.answer, before = (503, b""), len(tokens.asked)
    try:
        message = refused(
            Busy, reader_of(tokened, tmp_path, pull_secret(tokened.host)), f"{tokened.host}/team/release:a"
        )
    finally:
        tokens.answer = None
    assert f"token server {tokens.host}: answers 503" in message
    assert len(tokens.asked) == before + 4


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ((404, b""), "answers 404"),
        ((200, b"<html>eyJ</html>"), "without a token"),
        ((200, b"{}"), "without a token"),
        ((200, b'{"token": "a\\nb"}'), "without a token"),
    ],
)
def test_a_token_server_that_fails(tokened, tokens, tmp_path, answer, said):
    tokens.answer = answer
    try:
        reader = reader_of(tokened, tmp_path, pull_secret(tokened.host))
        message = refused(TokenRefused, reader, f"{tokened.host}/team/release:a")
    finally:
        tokens.answer = None
    assert f"token server {tokens.host}" in message
    assert said in message


@pytest.mark.parametrize("realm", ["http://127.0.0.1:1/token", "/token", "https://[", "ftp://quay.io", ""])
def test_a_token_server_without_tls_is_not_asked_for_a_registry_with_tls(realm):
    access = Access(pull_secret=pull_secret("quay.io"))
    where = Reference.parse("quay.io/team/release:a")
    with pytest.raises(TokenRefused, match="a token server without TLS"):
        authorization(parse(f'Bearer realm="{realm}"'), where, access, Wire(access))


def test_403_is_not_401(registry, made, tmp_path):
    with front(registry.host) as gate:
        gate.statuses, gate.body = [403], b'{"errors": [{"code": "DENIED", "message": "s3cret of the server"}]}'
        message = refused(Denied, reader_of(gate, tmp_path, pull_secret(gate.host)), f"{gate.host}/team/release:a")
    assert f"entry '{gate.host}' may not read it (403 DENIED)" in message


def test_the_password_is_not_sent_unless_asked_for(registry, made, tmp_path):
    with front(registry.host) as gate:
        reader_of(gate, tmp_path, pull_secret(gate.host)).read(f"{gate.host}/team/release:a")
        assert not any("Authorization" in headers for _, headers in gate.seen)


def test_authorization_stays_with_the_registry_when_a_blob_is_elsewhere(registry, locked, made, tmp_path):
    """As quay does: blobs are redirected to another host, which must not see who we are."""
    with front(locked.host) as gate, front(registry.host) as elsewhere:
        gate.redirect = f"http://{elsewhere.host}"
        hosts = frozenset({gate.host, elsewhere.host})
        reader = Reader(tmp_path / "cache", plain_http=hosts, pull_secret=pull_secret(gate.host, elsewhere.host))
        assert reader.read(f"{gate.host}/team/release:a").digest == made.digest
        assert any("Authorization" in headers for _, headers in gate.seen)
        assert elsewhere.blobs
        assert not any("Authorization" in headers for _, headers in elsewhere.seen)


def test_a_401_from_where_a_blob_was_redirected_to_gets_no_password(registry, locked, made, tmp_path):
    with front(locked.host) as gate, front(registry.host) as elsewhere:
        gate.redirect = f"http://{elsewhere.host}"
        elsewhere.statuses = [401] * 9
        elsewhere.headers = {"WWW-Authenticate": f'Bearer realm="http://{elsewhere.host}/token"'}
        reader = Reader(tmp_path / "cache", plain_http=frozenset({gate.host}), pull_secret=pull_secret(gate.host))
        with pytest.raises(Refused, match=f"redirected to {elsewhere.host}, which answers 401"):
            reader.read(f"{gate.host}/team/release:a")
        assert [path for path, _ in elsewhere.seen if "/blobs/" not in path] == [], "its token server is not asked"
        assert not any("Authorization" in headers for _, headers in elsewhere.seen)


@pytest.mark.parametrize(
    ("key", "name", "matches"),
    [
        ("quay.io", "quay.io/a/b", True),
        ("https://quay.io", "quay.io/a/b", True),
        ("https://quay.io/v1/", "quay.io/a/b", True),
        ("quay.io/a", "quay.io/a/b", True),
        ("quay.io/a", "quay.io/ab/c", False),
        ("quay.io:443", "quay.io/a/b", False),
        ("uay.io", "quay.io/a/b", False),
    ],
)
def test_which_entry_is_for_which_repository(key, name, matches):
    login = login_for(pull_secret(key), name)
    assert (login is not None and login.basic == ENCODED) == matches


@pytest.mark.parametrize(
    "text", ["{s3cret", "[]", '{"auths": {"quay.io": {"auth": "s3cret!"}}}', '{"auths": {"quay.io": {}}}']
)
def test_a_pull_secret_that_cannot_be_read_is_not_shown(text):
    if text == "[]":
        text = '"s3cret"'
    with pytest.raises(ConfigError, match="fix: ") as caught:
        login_for(text, "quay.io/a")
    assert "s3cret" not in str(caught.value)


def test_user_and_password_in_fields_of_their_own():
    login = login_for(f'{{"auths": {{"quay.io": {{"username": "{USER}", "password": "{PASSWORD}"}}}}}}', "quay.io/a")
    assert login is not None
    assert login.basic == ENCODED
    assert ENCODED not in repr(login)


@pytest.mark.parametrize(
    ("header", "scheme", "parameters"),
    [
        ('Bearer realm="https://a/t",service="s"', "bearer", {"realm": "https://a/t", "service": "s"}),
        ("basic realm=x", "basic", {"realm": "x"}),
        (
            'Negotiate, Bearer realm="https://a/t?x=1,2" , error="y"',
            "bearer",
            {"realm": "https://a/t?x=1,2", "error": "y"},
        ),
        ("Basic", "basic", {}),
    ],
)
def test_what_a_401_asks_for(header, scheme, parameters):
    found = parse(header)
    assert found is not None
    assert (found.scheme, found.parameters) == (scheme, parameters)
    assert parse("Negotiate") is None
