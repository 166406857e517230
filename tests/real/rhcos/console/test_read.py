"""The real Ignition and the real coreos-installer fail in front of the table, and it names what they say."""

from __future__ import annotations

import json
from pathlib import Path

from hardway.deliver.pointer import pointer
from hardway.lines.default import DEFAULT
from hardway.rhcos.console.read import Watch
from tests.support import delivery
from tests.support.rhcos.words import coreos_installer, ignition, impatient

WRITTEN = DEFAULT.ignition.written


def names(words: bytes) -> list[str]:
    watch = Watch()
    watch.feed(words + b"\n")
    assert watch.met, f"nothing was understood of:\n{words.decode()}"
    return list(watch.met)


def config(**parts: object) -> bytes:
    return json.dumps({"ignition": {"version": "3.2.0"}, **parts}).encode()


def test_ignition_that_accepts_a_config_is_no_trouble():
    watch = Watch()
    watch.feed(ignition(config(storage={"files": [{"path": "/etc/hostname", "contents": {"source": "data:,a"}}]})))
    assert watch.met == {}


def test_a_path_twice():
    file = {"path": "/etc/hostname", "contents": {"source": "data:,a"}}
    assert names(ignition(config(storage={"files": [file, file]})))[0] == "config-duplicate"


def test_a_version_that_ignition_does_not_know():
    assert names(ignition(b'{"ignition": {"version": "3.99.0"}}'))[0] == "config-version"


def test_a_file_that_is_no_config():
    assert names(ignition(b"#!/bin/sh\n"))[0] == "config-invalid"


def test_nobody_listens():
    source = {"source": f"https://127.0.0.1:{delivery.free_port()}/x"}
    body = json.dumps({"ignition": {"version": "3.2.0", "config": {"replace": source}}}).encode()
    assert names(ignition(impatient(body)))[0] == "refused"


def test_a_name_that_nobody_knows():
    source = {"source": "https://api-int.nowhere.invalid:22623/config/master"}
    body = json.dumps({"ignition": {"version": "3.2.0", "config": {"replace": source}}}).encode()
    assert names(ignition(impatient(body)))[0] == "dns"


def test_the_one_time_server(tmp_path: Path):
    """Another authority, another name, a wrong token, a file that changed, the good way, and once more."""
    folder = delivery.folder_of(tmp_path / "cluster")
    with delivery.serving(folder, "master-0", "master-1") as running:
        base, parcels = running.delivery.place.url, running.delivery.parcels
        parcel, other = parcels
        good = pointer(base, parcel, running.delivery.identity.authority, WRITTEN)
        stranger = (folder / "assets" / "tls" / "etcd-signer.crt").read_bytes()
        assert names(ignition(impatient(pointer(base, parcel, stranger, WRITTEN))))[0] == "authority"
        assert names(ignition(impatient(good.replace(b"//127.0.0.1", b"//localhost"))))[0] == "name"
        assert names(ignition(good.replace(parcel.token.encode(), other.token.encode())))[0] == "forbidden"
        assert not Watch().feed(ignition(good))
        assert names(ignition(good))[0] == "gone"
        changed = pointer(base, other, running.delivery.identity.authority, WRITTEN)
        changed = changed.replace(other.hash.encode(), b"sha512-" + b"0" * 128)
        assert names(ignition(changed))[0] == "checksum"


def test_a_disk_that_is_not_there(tmp_path: Path):
    (tmp_path / "image").write_bytes(bytes(4096))
    words = coreos_installer("install", "/dev/sdzz", "--image-file", tmp_path / "image", "--insecure", "--offline")
    assert names(words)[0] == "disk-missing"
