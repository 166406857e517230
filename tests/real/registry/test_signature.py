"""Signatures of a release, with real keys: every one that is good, and every way in which one is not."""

from __future__ import annotations

import os
import resource
import ssl
import threading
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from hardway.model.entropy import SystemEntropy
from hardway.model.errors import CheckError, ConfigError
from hardway.pki.issue import issue
from hardway.pki.private import private_pem
from hardway.pki.spec import Spec
from hardway.registry import openpgp as registry_openpgp
from hardway.registry.access import Access
from hardway.registry.errors import Refused, Unreachable, Untrusted
from hardway.registry.signature.store import LARGEST
from hardway.registry.signature.verify import check
from tests.support import openpgp

DIGEST = "sha256:" + "ab" * 32
OTHER = "sha256:" + "cd" * 32
PUBLIC = Access()


@pytest.fixture(scope="module")
def keys():
    with openpgp.home() as made:
        yield made


@pytest.fixture(scope="module")
def good(keys):
    return keys.make("release")


@pytest.fixture(scope="module")
def stranger(keys):
    return keys.make("stranger")


@pytest.fixture
def place(tmp_path, keys, good):
    (tmp_path / "key.asc").write_bytes(keys.public(good))
    return tmp_path


def judged(place, content, digest=DIGEST):
    (place / "signature").write_bytes(content)
    return check(digest, key=place / "key.asc", source=str(place / "signature"), access=PUBLIC)


def put(store, digest, number, content):
    folder = store / digest.replace(":", "=")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"signature-{number}").write_bytes(content)


def test_a_good_signature_says_whose_it_is(place, keys, good):
    verdict = judged(place, keys.sign(good, openpgp.claim(DIGEST)))
    assert (verdict.state, verdict.key) == ("verified", good)
    assert verdict.signer == "release <release@example.com>"
    assert verdict.identity == "example.com/ocp/release:4.18.0"
    assert verdict.where == str(place / "signature")
    assert good in verdict.said


def test_a_binary_key_file_and_one_with_several_keys(place, keys, good, stranger):
    signed = keys.sign(good, openpgp.claim(DIGEST))
    for content in (
        keys.public(good, armored=False),
        keys.public(stranger, good),
        b"two keys\n" + keys.public(stranger) + b"\nand\n" + keys.public(good),
        keys.public(good).replace(b"\n", b"\r\n"),
    ):
        (place / "key.asc").write_bytes(content)
        assert judged(place, signed).key == good


def test_neither_key_nor_signature_is_said_and_one_alone_is_refused(place):
    assert check(DIGEST, key=None, source="", access=PUBLIC).state == "unchecked"
    with pytest.raises(ConfigError, match="without --signature"):
        check(DIGEST, key=place / "key.asc", source="", access=PUBLIC)
    with pytest.raises(ConfigError, match="without --key"):
        check(DIGEST, key=None, source="somewhere", access=PUBLIC)
    with pytest.raises(ConfigError, match="has no digest"):
        check("", key=place / "key.asc", source="somewhere", access=PUBLIC)


def test_another_key(place, keys, stranger):
    with pytest.raises(CheckError, match=f"signed by another key .{stranger[-16:]}"):
        judged(place, keys.sign(stranger, openpgp.claim(DIGEST)))


def test_another_digest(place, keys, good):
    with pytest.raises(CheckError, match=f"the signature of another image .{OTHER}"):
        judged(place, keys.sign(good, openpgp.claim(OTHER)))


def test_changed_after_signing(place, keys, good):
    signed = keys.sign(good, openpgp.claim(OTHER))
    assert OTHER.encode() in signed
    with pytest.raises(CheckError, match="changed after it was signed"):
        judged(place, signed.replace(OTHER.encode(), DIGEST.encode()))


def test_a_key_that_has_expired(place, keys):
    old = keys.make("old", long_ago=True, lifetime="2d")
    (place / "key.asc").write_bytes(keys.public(old))
    with pytest.raises(CheckError, match="signed by a key that has expired"):
        judged(place, keys.sign(old, openpgp.claim(DIGEST), long_ago=True))


def test_a_signature_that_has_expired(place, keys):
    lasting = keys.make("lasting", long_ago=True)
    (place / "key.asc").write_bytes(keys.public(lasting))
    assert judged(place, keys.sign(lasting, openpgp.claim(DIGEST), long_ago=True)).key == lasting
    with pytest.raises(CheckError, match="the signature has expired"):
        judged(place, keys.sign(lasting, openpgp.claim(DIGEST), long_ago=True, lifetime="2d"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (openpgp.claim(DIGEST, kind="a letter"), "signs something else"),
        (openpgp.claim(DIGEST, identity=""), "under which name"),
        (openpgp.claim(DIGEST, identity=None), "under which name"),
        (b"[]", "signs something else"),
        (b"no JSON", "not JSON"),
    ],
)
def test_a_good_signature_of_something_else(place, keys, good, content, message):
    with pytest.raises(CheckError, match=message):
        judged(place, keys.sign(good, content))


@pytest.mark.parametrize("content", [b"", b"<html>not found</html>", openpgp.claim(DIGEST)])
def test_no_signature_at_all(place, content):
    with pytest.raises(CheckError, match="not an OpenPGP signature"):
        judged(place, content)


def test_files_that_are_not_what_they_should_be(place, keys, good):
    source = str(place / "signature")
    (place / "signature").write_bytes(b"x" * 60_000)
    with pytest.raises(ConfigError, match="larger than"):
        check(DIGEST, key=place / "key.asc", source=source, access=PUBLIC)
    with pytest.raises(ConfigError, match="No such file"):
        check(DIGEST, key=place / "nowhere", source=source, access=PUBLIC)
    with pytest.raises(ConfigError, match="No such file"):
        check(DIGEST, key=place / "key.asc", source=str(place / "nothing"), access=PUBLIC)
    armored = b"-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n%s\n-----END PGP PUBLIC KEY BLOCK-----\n"
    for content in (b"", b"a key", b"\x88\x5e", armored % b"abc", armored % b""):
        (place / "key.asc").write_bytes(content)
        with pytest.raises(ConfigError, match="not an OpenPGP public key"):
            check(DIGEST, key=place / "key.asc", source=source, access=PUBLIC)
    (place / "key.asc").write_bytes(keys.secret(good))
    with pytest.raises(ConfigError, match="holds a private key"):
        check(DIGEST, key=place / "key.asc", source=source, access=PUBLIC)


@pytest.mark.parametrize("algorithm", ["bzip2", "zip"])
def test_a_small_message_that_unpacks_to_much(place, keys, good, algorithm):
    """Signed by the right key even: gpgv would fill the disk."""
    command = ["--compress-algo", algorithm, "--bzip2-compress-level", "9", "--local-user", good, "--sign"]
    bomb = keys._gpg(*command, stdin=b"\0" * (30 << 20))
    assert len(bomb) < LARGEST
    with pytest.raises(CheckError, match=r"signature: what it signs is larger than 1 MiB\n.*fix: get the key"):
        judged(place, bomb)


def test_a_message_that_takes_gpgv_too_long_is_not_waited_for(place, keys, good, monkeypatch):
    (place / "bin").mkdir()
    (place / "bin/gpgv").write_text("#!/bin/sh\nwhile :; do :; done\n")
    (place / "bin/gpgv").chmod(0o755)
    monkeypatch.setenv("PATH", f"{place / 'bin'}:{os.environ['PATH']}")
    monkeypatch.setitem(registry_openpgp._LIMITS, resource.RLIMIT_CPU, 1)
    with pytest.raises(CheckError, match="signature: gpgv needs more than 20 s for it"):
        judged(place, keys.sign(good, openpgp.claim(DIGEST)))


def test_a_store_where_only_the_second_signature_is_good(place, keys, good, stranger):
    store = place / "store"
    put(store, DIGEST, 1, keys.sign(stranger, openpgp.claim(DIGEST)))
    with pytest.raises(CheckError, match="signature-1: it is signed by another key"):
        check(DIGEST, key=place / "key.asc", source=str(store), access=PUBLIC)
    put(store, DIGEST, 2, keys.sign(good, openpgp.claim(DIGEST)))
    verdict = check(DIGEST, key=place / "key.asc", source=str(store), access=PUBLIC)
    assert (verdict.state, verdict.where) == ("verified", str(store / DIGEST.replace(":", "=") / "signature-2"))


def test_a_store_without_a_signature_for_this_image(place, keys, good):
    store = place / "store"
    put(store, OTHER, 1, keys.sign(good, openpgp.claim(OTHER)))
    verdict = check(DIGEST, key=place / "key.asc", source=str(store), access=PUBLIC)
    assert (verdict.state, verdict.key) == ("absent", "")
    assert DIGEST in verdict.said


def authority_and_server():
    now = SystemEntropy()
    root_key = private_pem(now.key("root", "ecdsa-p256"))
    root = Spec(common_name="store-ca", unit="test", ca=True, hours=1)
    ca = issue(root, key=root_key, signer_key=None, signer_cert=None, now=now.now(), serial=1)
    leaf_key = private_pem(now.key("leaf", "ecdsa-p256"))
    leaf = Spec(common_name="store", unit="test", usages=("server",), hours=1, addresses=("127.0.0.1",))
    cert = issue(leaf, key=leaf_key, signer_key=root_key, signer_cert=ca, now=now.now(), serial=2)
    return ca.decode(), cert, leaf_key


class Handler(SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass

    def do_GET(self):
        if self.path.startswith("/broken/"):
            self.send_error(418)
        else:
            super().do_GET()


@contextmanager
def serving(folder):
    """An https server on loopback for a folder; its address and its authority."""
    ca, cert, key = authority_and_server()
    (folder / "server.pem").write_bytes(cert + key)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "server.pem")
    server = ThreadingHTTPServer(("127.0.0.1", 0), lambda *a: Handler(*a, directory=str(folder)))
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"https://127.0.0.1:{server.server_address[1]}", ca
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_store_on_a_web_server_under_a_private_authority(place, keys, good, stranger):
    put(place / "store", DIGEST, 1, keys.sign(stranger, openpgp.claim(DIGEST)))
    put(place / "store", DIGEST, 2, keys.sign(good, openpgp.claim(DIGEST)))
    key = place / "key.asc"
    with serving(place) as (url, ca):
        access = Access(trust_bundle=ca)
        verdict = check(DIGEST, key=key, source=f"{url}/store/", access=access)
        assert (verdict.state, verdict.key) == ("verified", good)
        assert verdict.where.endswith("/signature-2")
        assert check(OTHER, key=key, source=f"{url}/store", access=access).state == "absent"
        with pytest.raises(Refused, match="answers 418 when asked for a signature"):
            check(DIGEST, key=key, source=f"{url}/broken", access=access)
        with pytest.raises(Untrusted):
            check(DIGEST, key=key, source=f"{url}/store", access=PUBLIC)
    with pytest.raises(Unreachable):
        check(DIGEST, key=key, source=f"{url}/store", access=Access(trust_bundle=ca))
    with pytest.raises(ConfigError, match="give a file, a folder or https"):
        check(DIGEST, key=key, source="http://127.0.0.1/store", access=PUBLIC)
